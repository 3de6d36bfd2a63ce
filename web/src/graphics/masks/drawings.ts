// Masks of computer players on a disc of their own colour, 100 × 100 like the crests.
const PAPER = 'fill="#f8f0de"';
const INK = 'fill="#1a1411"';
const GOLD = 'fill="#d8ae57"';
const line = (colour: string, width: number): string =>
  `fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"`;
const FOLD = "#b9a884"; // creases of carved wood

export interface Drawing {
  /** the disc behind it */
  ground: string;
  drawn: string;
}

export const DRAWINGS = {
  tanuki: {
    ground: "#6b4a26",
    drawn: `<path d="M24 34C14 30 12 16 20 8C30 8 38 16 40 26ZM76 34C86 30 88 16 80 8C70 8 62 16 60 26Z" fill="#4a3420"/><path d="M50 18C72 18 86 34 86 54C86 76 70 94 50 94C30 94 14 76 14 54C14 34 28 18 50 18Z" ${PAPER}/><path d="M50 20C56 20 58 34 56 44H44C42 34 44 20 50 20Z" fill="#8a6a40"/><path d="M18 50C22 40 38 40 44 50C46 60 38 68 28 66C20 64 16 58 18 50ZM82 50C78 40 62 40 56 50C54 60 62 68 72 66C80 64 84 58 82 50Z" fill="#4a3420"/><circle cx="33" cy="54" r="6.500" ${PAPER}/><circle cx="67" cy="54" r="6.500" ${PAPER}/><circle cx="34" cy="55" r="3.600" ${INK}/><circle cx="66" cy="55" r="3.600" ${INK}/><path d="M43 67C46 63 54 63 57 67C57 71 53 74 50 74C47 74 43 71 43 67Z" ${INK}/><path d="M50 74V79M50 79C46 84 40 84 37 81M50 79C54 84 60 84 63 81" ${line("#1a1411", 2.4)}/>`,
  },
  fox: {
    ground: "#a8521c",
    drawn: `<path d="M50 90C41 86 35 78 29 70C20 62 15 52 15 41C11 27 12 14 16 4C27 9 35 17 40 27C46 25 54 25 60 27C65 17 73 9 84 4C88 14 89 27 85 41C85 52 80 62 71 70C65 78 59 86 50 90Z" ${PAPER}/><path d="M20 13C21 23 26 31 33 36C25 35 19 26 20 13ZM80 13C79 23 74 31 67 36C75 35 81 26 80 13Z" fill="#c8431f"/><circle cx="35" cy="52" r="6.500" ${INK}/><circle cx="65" cy="52" r="6.500" ${INK}/><circle cx="37" cy="50" r="2" ${PAPER}/><circle cx="67" cy="50" r="2" ${PAPER}/><path d="M45 74C48 72 52 72 55 74L50 80Z" ${INK}/><path d="M41 81C45 86 55 86 59 81" ${line("#1a1411", 2.5)}/><path d="M18 62L30 64M82 62L70 64M20 70L31 69M80 70L69 69" ${line("#c8431f", 2.5)}/>`,
  },
  jester: {
    ground: "#24506e",
    drawn: `<path d="M16 32C22 14 36 6 50 6C64 6 78 14 84 32C72 26 60 24 50 24C40 24 28 26 16 32Z" fill="#eae3d0"/><path d="M30 15C34 18 36 21 36 25M45 12C47 16 47 20 46 24M60 13C60 17 59 20 57 24M72 17C69 20 67 23 66 26" ${line("#24506e", 3)}/><path d="M50 22C70 22 82 34 82 54C82 76 68 94 50 94C32 94 18 76 18 54C18 34 30 22 50 22Z" ${PAPER}/><path d="M25 42C30 34 40 34 45 40M55 46C60 41 70 40 76 45" ${line("#1a1411", 3.4)}/><circle cx="35" cy="51" r="7.500" ${INK}/><circle cx="36" cy="50" r="2.800" ${PAPER}/><path d="M58 54C63 51 70 51 74 54" ${line("#1a1411", 3)}/><path d="M48 52C46 59 46 63 50 65C54 65 56 62 55 58" ${line("#8c7a55", 2.2)}/><circle cx="27" cy="67" r="5.500" fill="#d9745a" opacity=".8"/><circle cx="73" cy="67" r="5.500" fill="#d9745a" opacity=".8"/><path d="M46 76C52 70 62 72 66 77C63 83 56 85 50 83C46 82 44 79 46 76Z" fill="#b8331a"/><circle cx="64" cy="77" r="3.200" ${INK}/>`,
  },
  soldier: {
    ground: "#2c5541",
    drawn: `<path d="M50 8C54 8 56 11 57 14L94 46C80 52 66 54 50 54C34 54 20 52 6 46L43 14C44 11 46 8 50 8Z" ${PAPER}/><path d="M50 14V54M50 14L28 52M50 14L72 52" ${line("#2c5541", 2)}/><circle cx="50" cy="34" r="9" fill="#2c5541"/><circle cx="50" cy="34" r="5" ${GOLD}/><path d="M24 56C34 59 66 59 76 56C77 74 66 90 50 92C34 90 23 74 24 56Z" ${PAPER}/><path d="M32 66C37 63 43 64 46 68C41 71 35 71 32 66ZM68 66C63 63 57 64 54 68C59 71 65 71 68 66Z" ${INK}/><path d="M48 68L46 76H54" ${line("#1a1411", 2)}/><path d="M42 83H58" ${line("#1a1411", 2.6)}/><path d="M24 56L18 84M76 56L82 84" ${line("#d8ae57", 2.5)}/>`,
  },
  hannya: {
    ground: "#7d1a12",
    drawn: `<path d="M27 34C14 28 8 16 14 2C20 14 30 18 40 24ZM73 34C86 28 92 16 86 2C80 14 70 18 60 24Z" ${GOLD}/><path d="M50 20C68 20 80 32 80 48C80 60 74 66 70 74C66 84 60 94 50 95C40 94 34 84 30 74C26 66 20 60 20 48C20 32 32 20 50 20Z" ${PAPER}/><path d="M25 42C33 38 43 42 47 51C38 56 29 53 25 42ZM75 42C67 38 57 42 53 51C62 56 71 53 75 42Z" ${INK}/><circle cx="38" cy="48" r="3.200" fill="#e2bd6b"/><circle cx="62" cy="48" r="3.200" fill="#e2bd6b"/><path d="M24 36L45 44M76 36L55 44" ${line("#7d1a12", 4)}/><path d="M45 58C47 62 53 62 55 58L57 66H43Z" fill="#b8331a"/><path d="M28 70C38 66 62 66 72 70C68 84 60 90 50 90C40 90 32 84 28 70Z" ${INK}/><path d="M32 70L36 80L40 69ZM68 70L64 80L60 69ZM42 69H58L57 74H43ZM40 86L43 79L47 87ZM60 86L57 79L53 87Z" ${PAPER}/>`,
  },
  elder: {
    ground: "#1b1512",
    drawn: `<path d="M50 6C68 6 78 20 78 40C78 54 72 66 64 74C60 78 40 78 36 74C28 66 22 54 22 40C22 20 32 6 50 6Z" ${PAPER}/><g fill="#f8f0de" stroke="${FOLD}" stroke-width="1.500"><circle cx="34" cy="22" r="7.500"/><circle cx="66" cy="22" r="7.500"/></g><path d="M28 42C33 36 42 36 46 42C41 40 33 40 28 42ZM72 42C67 36 58 36 54 42C59 40 67 40 72 42Z" ${INK}/><path d="M36 12C44 15 56 15 64 12M34 30C44 33 56 33 66 30" ${line(FOLD, 2)}/><path d="M46 46L44 56C47 59 53 59 56 56L54 46" ${line("#8c7a55", 2)}/><path d="M35 62C43 67 57 67 65 62C62 70 56 72 50 72C44 72 38 70 35 62Z" fill="#b8331a"/><path d="M38 74C36 84 42 92 50 99C58 92 64 84 62 74C56 78 44 78 38 74Z" ${PAPER}/><path d="M45 77V92M50 78V96M55 77V92" ${line(FOLD, 1.6)}/><path d="M27 50C31 54 33 60 33 66M73 50C69 54 67 60 67 66" ${line(FOLD, 2)}/>`,
  },
  sun: {
    ground: "#3a1d5e",
    drawn: `<g ${GOLD}>${Array.from({ length: 16 }, (_, n) => `<path d="M50 -9L55 10H45Z" transform="rotate(${n * 22.5} 50 50)"/>`).join("")}</g><circle cx="50" cy="50" r="41" ${GOLD}/><path d="M50 15C68 15 79 28 79 47C79 68 66 86 50 87C34 86 21 68 21 47C21 28 32 15 50 15Z" fill="#fffaf0"/><path d="M50 18L55 27L50 36L45 27Z" fill="#b8331a"/><path d="M27 42C33 37 41 38 45 43M73 42C67 37 59 38 55 43" ${line("#1a1411", 2.4)}/><path d="M28 51C34 47 41 48 46 53C40 55 33 55 28 51ZM72 51C66 47 59 48 54 53C60 55 67 55 72 51Z" ${INK}/><path d="M50 50C48 57 47 61 47 63C49 65 51 65 53 63" ${line("#8c7a55", 2)}/><path d="M42 73C46 71 48 72 50 73C52 72 54 71 58 73C55 77 52 78 50 78C48 78 45 77 42 73Z" fill="#b8331a"/>`,
  },
  puppet: {
    ground: "#4a4038",
    drawn: `<path d="M50 12C70 12 80 28 80 46C80 68 68 88 50 90C32 88 20 68 20 46C20 28 30 12 50 12Z" ${PAPER}/><path d="M50 12V32M34 16C38 26 44 32 50 32C56 32 62 26 66 16" ${line(FOLD, 2)}/><circle cx="36" cy="48" r="6" ${INK}/><circle cx="64" cy="48" r="6" ${INK}/><circle cx="50" cy="62" r="2.600" fill="#8c7a55"/><path d="M38 72H62M38 72V90M62 72V90" ${line("#8c7a55", 2)}/><path d="M40 74H60V80H40Z" ${INK}/><path d="M40 77H60" ${line("#f8f0de", 1.4)}/>`,
  },
} satisfies Record<string, Drawing>;
export type MaskName = keyof typeof DRAWINGS;

/** Return the mask on its disc as SVG. */
export function mask(name: MaskName): string {
  const { ground, drawn } = DRAWINGS[name];
  return `<circle cx="50" cy="50" r="50" fill="${ground}"/><circle cx="50" cy="50" r="47" fill="none" stroke="#d8ae57" stroke-width="1.300"/><g transform="translate(50 51) scale(.76) translate(-50 -50)">${drawn}</g>`;
}
