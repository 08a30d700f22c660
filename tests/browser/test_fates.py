"""Answers handled by the scripts of result messages, in one open page; `test_letters` has a connection and a server."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from .conftest import PHONE
from .test_letters import kept_on

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEY = "5eed"
OURS, FOREIGN = {"letter": KEY, "words": "why"}, {"letter": "another"}
#: what the server, a proxy or nobody can answer: status and what was read, and what becomes of the letter
FATES = [
    (None, "again net"),
    ((200, {"letter": KEY, "to": "/p/"}), "sent"),
    ((200, None), "again foreign"),
    ((200, FOREIGN), "again foreign"),
    ((0, None), "again foreign"),  # a redirect, of which a script is told nothing
    ((302, None), "again foreign"),
    ((403, OURS), "stuck"),
    ((403, None), "again foreign"),
    ((404, OURS), "stuck"),
    ((404, None), "again foreign"),
    ((409, OURS), "stuck"),
    ((410, OURS), "stuck"),
    ((410, None), "again foreign"),
    ((422, OURS), "stuck"),
    ((425, OURS), "again early"),
    ((429, OURS), "again busy"),
    ((429, None), "again busy"),
    ((500, None), "again server"),
    ((502, None), "again server"),
    ((503, OURS), "again server"),
]


MAKE_STORE = """() => new Promise((resolve) => {
    const asked = indexedDB.open("bridgebuddy-table", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
    asked.onsuccess = () => { asked.result.close(); resolve(); };
})"""


#: what the worker asks the browser to wait for when the network is back, so many letters being left
WHAT_IT_WAITS_FOR = """async ([tag, left]) => {
    const event = new ExtendableEvent("sync");
    let asked = "nothing";
    self.letters.sendAll = async () => ({ sent: 1, left });
    event.waitUntil = (work) => { asked = work.then(() => "all sent", (error) => error.message); };
    self.dispatchEvent(Object.assign(event, { tag }));
    return asked;
}"""


IN_VAIN_MEANWHILE = """async () => {
    const real = fetch;
    let refuse;
    self.fetch = () => new Promise((_, reject) => { refuse = reject; });
    await letters.keep({ key: "5eed", address: "/p/", body: "", is: "again", why: "net" });
    letters.sendAll();
    while (!refuse) await new Promise((resolve) => setTimeout(resolve));
    self.fetch = async () => new Response(JSON.stringify({ letter: "5eed", to: "/p/" }));
    const second = letters.sendAll();
    refuse(new TypeError("no net"));
    const told = [(await second).left, (await letters.waiting()).length];
    self.fetch = real;
    return told;
}"""
ASKED_TWICE = """async (key) => {
    const real = fetch;
    let asked = 0;
    self.fetch = async () => { asked += 1; return new Response(JSON.stringify({ letter: key, to: "/p/" })); };
    await letters.keep({ key, address: "/p/", body: "", is: "again", why: "net" });
    await Promise.all([letters.sendAll(true), letters.sendAll(true)]);
    self.fetch = real;
    return asked;
}"""
SENT_ELSEWHERE = """async (key) => {
    const letter = await letters.keep({ key, address: "/p/", body: "", is: "again", why: "net" });
    await letters.remove(letter);
    await letters.change(letter, { why: "server" });
    return letters.waiting();
}"""
RESTS = """async () => {
    await letters.sendAll();  // what the page itself sends when it opens
    const said = { address: "/p/", body: "", is: "again", why: "busy" };
    await letters.keep({ ...said, key: "new", tried: Date.now() });
    await letters.keep({ ...said, key: "old", tried: Date.now() - 61000 });
    await letters.keep({ ...said, key: "refused", is: "stuck", why: "" });
    const { left } = await letters.sendAll();
    const found = [left, ...(await letters.waiting()).map((one) => [one.key, one.why])];
    for (const one of await letters.waiting()) await letters.remove(one);
    return found;
}"""
OF_TWO_ONE_IS_REFUSED = """async () => {
    const letter = { address: "/p/", body: "", why: "busy", tried: Date.now() };
    await letters.keep({ ...letter, key: "1", is: "again" });
    await letters.keep({ ...letter, key: "2", is: "stuck", words: "No." });
    await letters.tell();
}"""
FAILS_ONCE = """
const open = indexedDB.open.bind(indexedDB);
indexedDB.open = (...what) => {
  if (what.length < 2) return open(...what); // whether there is one
  indexedDB.open = open;
  const asked = { error: new DOMException("no memory") };
  setTimeout(() => asked.onerror());
  return asked;
};
"""


def test_what_becomes_of_letters_is_asked_of_the_scripts_in_one_open_page(page, section):
    phone = page(PHONE)
    asked = []
    phone.on("request", lambda request: asked.append(request.url.partition("?")[0]))

    # who has entered nothing loads nothing that sends letters, and no store is made
    with phone.context.expect_event("serviceworker") as found:
        phone.goto(reverse("lookup", args=[section.code]))
    worker = found.value
    phone.wait_for_timeout(300)
    assert phone.evaluate("indexedDB.databases().then((all) => all.length)") == 0
    assert not [url for url in asked if url.endswith(("letters.js", "waiting.js"))]
    assert [url for url in asked if url.endswith("phone.js")]

    # who has, does so on every page, after a store that failed once too
    phone.evaluate(MAKE_STORE)
    phone.add_init_script(FAILS_ONCE)
    phone.goto("/p/")
    assert kept_on(phone) == []
    assert phone.evaluate("letters.keep({ key: '5eed', address: '/p/', body: '' })")["id"]
    assert [row["key"] for row in kept_on(phone)] == ["5eed"]
    phone.evaluate(
        "async () => { for (const one of await letters.waiting()) await letters.remove(one); }"
    )

    # every answer has its fate
    said = [None if item is None else {"status": item[0], "body": item[1]} for item, _ in FATES]
    fates = phone.evaluate(
        "([key, answers]) => answers.map((one) => letters.fate(key, one))", [KEY, said]
    )
    assert [f"{row['is']} {row.get('why') or ''}".strip() for row in fates] == [
        fate for _, fate in FATES
    ]
    assert {row["words"] for row in fates if row["is"] == "stuck"} == {"why"}

    # somebody asks to send it while it is being sent, and while it is being tried in vain
    assert phone.evaluate(ASKED_TWICE, KEY) == 1
    assert phone.evaluate(IN_VAIN_MEANWHILE) == [0, 0]

    # sending it here is in vain, after another tab has sent it
    assert phone.evaluate(SENT_ELSEWHERE, KEY) == []

    # for whom the server was too busy is tried again after a minute; who rests is left; what is refused stays so
    assert phone.evaluate(RESTS) == [2, ["new", "busy"], ["old", "foreign"], ["refused", ""]]

    # what is refused is not counted among what waits
    phone.evaluate(OF_TWO_ONE_IS_REFUSED)
    expect(phone.locator("[data-unsent] b")).to_have_text("1")
    expect(phone.locator("[data-stuck] b")).to_have_text("1")

    # without a page the browser is asked to come back while letters are left
    waited = [
        worker.evaluate(WHAT_IT_WAITS_FOR, asked)
        for asked in (["letters", 0], ["letters", 1], ["another", 1])
    ]
    assert waited == ["all sent", "letters are left", "nothing"]
