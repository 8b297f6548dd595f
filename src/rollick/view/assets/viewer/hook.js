// Beginning, and what may be asked from outside: by the page around this one (postMessage), and by whoever drives the browser (window.rollick).
(() => {
  let player;
  try {
    player = new Player(JSON.parse(element("motion").textContent));
  } catch (error) {
    element("trouble").textContent =
      "The motion cannot be drawn in this browser (" + error.message + "). Open this file in a current Firefox, Chrome, Edge or Safari that " +
      "offers WebGL, and allow hardware or software 3-D graphics in its settings. The file is complete and needs no network.";
    element("trouble").hidden = false;
    element("bottom").hidden = true;
    return;
  }
  const set = (options) => {
    for (const [word, value] of Object.entries(options)) if (SWITCHES.includes(word)) element(word).checked = Boolean(value);
    player.switched();
  };
  const outside = window.parent === window ? null : window.parent;
  const answer = (told) => outside.postMessage(told, "*");
  addEventListener("message", (event) => {
    if (outside === null || event.source !== outside || typeof event.data !== "object" || event.data === null) return;
    const { rollick: page, options, seek } = event.data;
    try {
      if (page !== undefined) player.load(page);
      if (typeof options === "object" && options !== null) set(options);
      if (Number.isFinite(seek)) player.seek(seek);
      if (typeof event.data.dark === "boolean") player.setDark(event.data.dark);
      if (event.data.play !== undefined) player.setPlaying(Boolean(event.data.play));
      answer({ rollickShows: player.sides.map(({ motion }) => motion.name), from: player.from, to: player.to });
    } catch (error) {
      answer({ rollickTrouble: error.message });
    }
  });
  window.rollick = {
    get from() { return player.from; },
    get to() { return player.to; },
    get now() { return player.now; },
    get speed() { return Number(element("speed").value); },
    load: (page) => player.load(page),
    show: set,
    home: () => player.home(),
    seek(time) { // the picture of that instant is drawn when this returns
      player.seek(time);
      player.render(performance.now(), 0, 1);
    },
    strobe(times) { // the body where it is at several instants
      player.seek(times[times.length - 1]);
      set({ follow: false });
      for (const side of player.sides) side.strobe(times);
      player.render(performance.now(), 0, 1);
    },
  };
  if (outside !== null) answer({ rollickReady: true });
})();
