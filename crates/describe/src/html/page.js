// Only comfort: the page works without it.
(() => {
  const contents = document.querySelector(".contents");
  const narrow = matchMedia("(max-width: 999px)");
  contents.open = !narrow.matches;
  narrow.addEventListener("change", () => { contents.open = !narrow.matches; });
  const field = document.getElementById("filter");
  field.closest("[hidden]").hidden = false;
  const chapters = [...contents.querySelectorAll("details")];
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const chapter of chapters) {
      let found = 0;
      for (const item of chapter.querySelectorAll("li")) {
        const hit = !wanted || item.textContent.toLowerCase().includes(wanted);
        item.hidden = !hit;
        found += hit ? 1 : 0;
      }
      chapter.open = wanted !== "" && found > 0;
    }
  });
})();
