"use strict";
// Sorts and searches the tables; of a run that goes on, asks for the page again.
(() => {
    const numberOf = cell => {
        const text = cell ? cell.textContent.replace(/[,\s%]/g, "") : "";
        return text === "" || isNaN(text) ? null : Number(text);
    };
    const compare = (a, b, column) => {
        const [x, y] = [a.cells[column], b.cells[column]];
        const [m, n] = [numberOf(x), numberOf(y)];
        if (m !== null && n !== null)
            return m - n;
        if (m !== null || n !== null)
            return m !== null ? 1 : -1;
        return (x ? x.textContent : "").localeCompare(y ? y.textContent : "");
    };
    const sort = (table, column, ascending) => {
        const body = table.tBodies[0];
        const rows = [...body.rows].sort((a, b) => ascending ? compare(a, b, column) : compare(b, a, column));
        body.append(...rows);
        [...table.tHead.rows[0].cells].forEach((cell, i) => {
            if (i === column)
                cell.setAttribute("aria-sort", ascending ? "ascending" : "descending");
            else
                cell.removeAttribute("aria-sort");
        });
    };
    const search = (field) => {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const row of field.parentNode.querySelector("tbody").rows) {
            const text = row.textContent.toLowerCase();
            row.hidden = !words.every(word => text.includes(word));
        }
    };
    const onHead = event => {
        const cell = event.target.closest(".sortable thead th");
        if (!cell || (event.type === "keydown" && event.key !== "Enter" && event.key !== " "))
            return;
        event.preventDefault();
        const first = cell.classList.contains("t") ? "ascending" : "descending";
        const now = cell.getAttribute("aria-sort");
        sort(cell.closest("table"), cell.cellIndex, (now ? now === "descending" : first === "ascending"));
    };
    const prepare = () => {
        for (const cell of document.querySelectorAll(".sortable thead th"))
            cell.tabIndex = 0;
    };

    // What the reader has chosen: the order and the searched words of each table, and the open parts.
    const takeView = () => ({
        tables: [...document.querySelectorAll(".table")].map(box => {
            const sorted = box.querySelector("th[aria-sort]"), field = box.querySelector(".search");
            const wide = box.querySelector(".wide");
            return {column: sorted ? sorted.cellIndex : -1, words: field ? field.value : "", top: wide.scrollTop,
                    left: wide.scrollLeft, ascending: sorted && sorted.getAttribute("aria-sort") === "ascending"};
        }),
        open: [...document.querySelectorAll("details")].map(part => part.open),
        focus: [...document.querySelectorAll(".search")].indexOf(document.activeElement)
    });
    const restoreView = view => {
        document.querySelectorAll("details").forEach((part, i) => part.open = view.open[i]);
        document.querySelectorAll(".table").forEach((box, i) => {
            const of = view.tables[i], field = box.querySelector(".search");
            if (!of)
                return;
            if (of.column >= 0)
                sort(box.querySelector("table"), of.column, of.ascending);
            if (field && of.words) {
                field.value = of.words;
                search(field);
            }
            box.querySelector(".wide").scrollTo(of.left, of.top);
        });
        if (view.focus >= 0)
            document.querySelectorAll(".search")[view.focus].focus();
    };
    const refresh = async () => {
        try {
            const answer = await fetch("/", {cache: "no-store"});
            const page = new DOMParser().parseFromString(await answer.text(), "text/html");
            const view = takeView();
            document.querySelector("main").replaceWith(page.querySelector("main"));
            prepare();
            restoreView(view);
        } catch (error) {
            document.getElementById("state").textContent =
                "The run has ended, or does not answer any more: these are its last figures.";
            document.body.dataset.ended = "";
            return;
        }
        setTimeout(refresh, 2000);
    };

    document.addEventListener("click", onHead);
    document.addEventListener("keydown", onHead);
    document.addEventListener("input", event => event.target.classList.contains("search") && search(event.target));
    document.addEventListener("DOMContentLoaded", () => {
        prepare();
        if ("live" in document.body.dataset)
            setTimeout(refresh, 2000);
    });
})();
