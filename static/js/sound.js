/* The gong and the voice of the room display. A browser lets a page be heard only after somebody has pressed
   something on it: so a button switches both on and tries them. Then it sounds once when the last five minutes begin,
   and three times when the round is over, and the browser's own voice speaks the call. */
(() => {
  const place = document.getElementById("sound");
  const button = place && place.querySelector("button");
  // eslint-disable-next-line compat/compat -- Safari before 14.1 has it by its other name
  const Sound = window.AudioContext || window.webkitAudioContext;
  if (!button || !Sound) return;
  place.hidden = false;
  let sound = null;

  const strike = (after) => {
    const at = sound.currentTime + after;
    for (const [pitch, loudness, length] of [[196, .5, 3], [293, .25, 2.2], [523, .12, 1.4]]) {
      const tone = sound.createOscillator();
      const volume = sound.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(loudness, at);
      volume.gain.setTargetAtTime(0, at, length / 5);
      tone.connect(volume).connect(sound.destination);
      tone.start(at);
      tone.stop(at + length);
    }
  };
  const gong = (times) => { for (let n = 0; n < times; n += 1) strike(n * 1.1); };
  const speak = (text) => {
    if (!text || !window.speechSynthesis) return;
    const said = new SpeechSynthesisUtterance(text);
    said.lang = document.documentElement.lang;
    /* eslint-disable members/supported -- a WebView has no voice: asked above */
    said.rate = .9;
    speechSynthesis.speak(said);
    /* eslint-enable members/supported -- end of the exception */
  };
  button.addEventListener("click", () => {
    sound = sound || new Sound();
    sound.resume();
    gong(1);
    setTimeout(() => speak(button.dataset.try), 1500);
    button.querySelector("span").textContent = button.dataset.on;
  });

  /* the last seen state of a clock: only a change while the page is open is heard */
  const stages = new Map();
  const listen = () => {
    for (const display of document.querySelectorAll("[data-display]")) {
      const timer = display.querySelector(".timer");
      const clock = timer && timer.querySelector("[data-clock-ends]");
      if (!clock) continue;
      const name = display.dataset.display;
      const stage = ["over", "last", "soon"].find((name) => timer.classList.contains(name)) || "";
      const before = stages.get(name);
      stages.set(name, stage);
      if (!sound || before === undefined || before === stage) continue;
      if (stage === "soon") gong(1);
      if (stage === "over") {
        gong(3);
        setTimeout(() => speak(display.dataset.say), 4000);
      }
    }
  };
  setInterval(listen, 500);
})();
