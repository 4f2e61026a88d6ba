# How the page is written.
include "statistics";

def html: tostring | @html;
def cell: if type == "object" then "<td class=\"\(.class)\">\(.text | html)</td>" else "<td>\(html)</td>" end;
def row: "<tr>" + (map(cell) | join("")) + "</tr>\n";
def head: "<tr>" + (map("<th>\(html)</th>") | join("")) + "</tr>\n";
# Above a head: [TITLE, COLUMNS], ...
def groups: "<tr>" + (map("<th class=\"group\" colspan=\"\(.[1])\">\(.[0] | html)</th>") | join("")) + "</tr>\n";
def as_table(rows): "<table>\n" + ([rows] | join("")) + "</table>\n";
def paper: {class: "paper", text: (if type == "number" then short else . // "–" end)};
def percent: if type == "number" then fixed(1) + " %" else "–" end;
def title: {pmake: "Program development", database: "Database", engineering: "Engineering"}[.];
def in_text: title | ascii_downcase;
def by_workload(f): map("\(in_text): \(f)") | join("; ");
