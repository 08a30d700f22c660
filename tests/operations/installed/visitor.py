#!/usr/bin/python3
"""A director who asks the installed server for pages, with nothing but Python's own library. Runs in the Debian root.

    python3 visitor.py ADDRESS E-MAIL PASSWORD

Prints a line of JSON: status of help pages, the printed sheet, and whether translations exist.
"""

import http.cookiejar
import json
import re
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request

base, email, password = sys.argv[1:]
cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
unchecked = urllib.request.HTTPSHandler(context=ssl._create_unverified_context())
browser = urllib.request.build_opener(cookies, unchecked)


def ask(path, form=None, language="en"):
    data = urllib.parse.urlencode(form).encode() if form else None
    headers = {"Accept-Language": language, "Referer": base + path}
    request = urllib.request.Request(base + path, data, headers)
    try:
        with browser.open(request, timeout=120) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def token(page):
    return re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1].decode()


_, page = ask("/accounts/login/")
form = {"login": email, "password": password, "csrfmiddlewaretoken": token(page)}
ask("/accounts/login/", form)
status, home = ask("/")
codes = sorted(set(re.findall(rb'href="/s/([A-Z0-9]+)/', home)))
asked, found = ["/help/"], {}
while asked:
    path = asked.pop()
    status, page = ask(path)
    found[path] = status
    for link in re.findall(r'href="(/help/[^"#?]*)', page.decode()):
        if link not in found and link not in asked:
            asked.append(link)
for topic in json.loads(sys.stdin.read() or "[]"):
    found.setdefault(topic, ask(topic)[0])
printed = {}
for code in codes:
    status, pdf = ask(f"/s/{code.decode()}/print/table-cards.pdf")
    printed[code.decode()] = [status, pdf[:4].decode(errors="replace"), len(pdf)]
    if pdf.startswith(b"%PDF"):
        break
german = ask("/p/", language="de")[1].decode()
print(
    json.dumps(
        {
            "is_signed_in": bool(codes),
            "codes": [code.decode() for code in codes],
            "help": found,
            "printed": printed,
            "is_german": "Laufkarte" in german,
        }
    )
)
