"""QtWebKit as a program: it reads commands as lines of JSON and writes an answer to each.

The system's Python runs it, because PyQt5's WebKit is a package of Debian only.
"""

import json
import os
import sys


def main() -> None:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PyQt5.QtCore import QSize, QSocketNotifier, QUrl
    from PyQt5.QtWebKitWidgets import QWebPage, QWebView
    from PyQt5.QtWidgets import QApplication

    application = QApplication(sys.argv)
    view = QWebView()
    page = QWebPage(view)
    view.setPage(page)
    view.resize(QSize(375, 667))
    view.show()

    def answer() -> None:
        line = sys.stdin.readline()
        if not line:
            application.quit()
            return
        command = json.loads(line)
        value = None
        if "open" in command:
            page.mainFrame().load(QUrl(command["open"]))
        else:
            value = page.mainFrame().evaluateJavaScript(command["run"])
        print(json.dumps(value), flush=True)

    notifier = QSocketNotifier(0, QSocketNotifier.Read)
    notifier.activated.connect(answer)
    application.exec_()


if __name__ == "__main__":
    main()
