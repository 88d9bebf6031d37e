"""The names of Control's boards in the languages of the reference engine, as records hold them."""

OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "size-5": (
        "Kleines Brett (Größe 5)",
        "Small board (Size 5)",
        "Petit plateau (Taille 5)",
        "Tabellone piccolo (dimensione 5)",
        "சிறிய பலகை (அளவு 5)",
        "Мала дошка (розмір 5)",
    ),
    "#board": (
        "Brett der Größe 7",
        "Standard-Spielfeld",
        "Size 7 board",
        "Default board",
        "Plateau de taille 7",
        "Plateau par défaut",
        "Tabellone dimensione 7",
        "Tabellone predefinito",
        "அளவு 7 போர்டு",
        "Дошка 7 розміру",
    ),
    "size-9": (
        "Großes Brett (Größe 9)",
        "Large board (Size 9)",
        "Grand plateau (Taille 9)",
        "Tabellone grande (dimensione 9)",
        "பெரிய பலகை (அளவு 9)",
        "Велика дошка (розмір 9)",
    ),
}
