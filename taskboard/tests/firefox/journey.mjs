// One person's way through Taskboard in Firefox. Called with the path of Firefox and JSON: url, email, password, and the API
// token of somebody who shares the board. Prints "done", or throws what did not happen.
import puppeteer from "puppeteer-core";

const PATIENCE = 60_000;
const GIVEN_UP = "error loading dynamically imported module"; // when a link is followed while scripts are on their way
const firefox = process.argv[2];
const { url, email, password, token } = JSON.parse(process.argv[3]);

const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
const page = await browser.newPage();
const troubles = [];
page.setDefaultTimeout(PATIENCE);
page.on("pageerror", ({ message }) => { if (!message.includes(GIVEN_UP)) troubles.push(message) });
page.on("console", (said) => { if (said.type() === "error" && !said.text().includes(GIVEN_UP)) troubles.push(said.text()) });
await page.evaluateOnNewDocument(() => {
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll(".toast")) sessionStorage.setItem(textContent.trim(), "was shown");
  }).observe(document, { childList: true, subtree: true });
});

const shown = (selector, text = "") => page.waitForFunction((selector, text) => (
  [...document.querySelectorAll(selector)].find((one) => one.textContent.includes(text) && one.checkVisibility())
), {}, selector, text);
const gone = (selector, text) => page.waitForFunction((selector, text) => (
  ![...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text))
), {}, selector, text);
const still = (element) => element.evaluate((one) => new Promise((resolve) => { // in two frames one after another
  let before = "";
  const look = () => {
    const box = JSON.stringify(one.getBoundingClientRect());
    if (box === before || !one.isConnected) return resolve();
    before = box;
    return requestAnimationFrame(look);
  };
  look();
}));
const click = async (selector, text) => {
  const element = await shown(selector, text);
  try {
    await element.scrollIntoView();
    await still(element);
    await element.click();
  } catch (error) {
    if (!error.message.includes("detached")) throw error; // a live update has replaced it
    await click(selector, text);
  }
};
const write = async (selector, text) => {
  do await click(selector); // what moved meanwhile may have been missed
  while (!await page.evaluate((selector) => document.activeElement.matches(selector), selector));
  await page.keyboard.type(text);
};
const middle = async (element) => {
  const { x, y, width, height } = await element.boundingBox();
  return [x + width / 2, y + height / 2];
};

try {
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${url}/sign-in`);
  await write("[name=login]", email);
  await write("[name=password]", password);
  await click("main form button.primary");
  await click(".board-tile a", "Launch");
  await shown("main[data-wired]");

  await page.keyboard.press("n");
  await page.waitForFunction(() => document.activeElement.name?.startsWith("new-"));
  await page.keyboard.type("Print the posters");
  await page.keyboard.press("Enter");
  await shown(".card .title", "Print the posters");
  await page.keyboard.press("Escape");

  const [first, second] = await page.$$(".list[id]");
  const [fromX, fromY] = await middle(await shown(".card", "Print the posters"));
  const [toX] = await middle(second);
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(toX, fromY, { steps: 12 });
  await shown(".drop-line, .card.lifted");
  await page.mouse.up();
  await page.waitForFunction((list) => list.textContent.includes("Print the posters"), {}, second);
  await page.waitForFunction((list) => !list.textContent.includes("Print the posters"), {}, first);

  await click(".card .title", "Print the posters");
  await shown("#open-card h1", "Print the posters");
  await click("#open-card [data-part=description] [data-open-editor], #open-card [data-part=description] summary");
  await page.waitForSelector("#open-card [contenteditable=true]");
  await page.keyboard.type("On **thick** paper");
  await click("#open-card [data-part=description] button.primary");
  await shown("#open-card [data-part=description] .prose strong", "thick");

  await write("#new-comment", "Two hundred are enough");
  await click("#open-card .new-comment button.primary");
  await shown("article.comment", "Two hundred are enough");

  const id = page.url().match(/[0-9a-f-]{36}$/)[0];
  const answer = await fetch(`${url}/api/v1/cards/${id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ title: "Print the posters today" }),
  });
  if (!answer.ok) throw new Error(`The other's change was answered ${answer.status}.`);
  await shown("#open-card h1", "Print the posters today");

  await page.keyboard.press("Escape");
  await page.waitForSelector("#card-dialog[open]", { hidden: true });
  await page.keyboard.press("e");
  await gone(".card .title", "Print the posters");
  await click(".toast button", "Undo");
  await shown(".card .title", "Print the posters today");
  const messages = await page.evaluate(() => Object.keys(sessionStorage).filter((key) => sessionStorage[key] === "was shown"));
  if (messages.some((words) => words.includes("new version"))) troubles.push(`Shown: ${messages}`);
  if (troubles.length > 0) throw new Error(troubles.join("\n"));
} finally {
  await browser.close();
}
console.log("done");
