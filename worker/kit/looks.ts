import { contrast, darkFill, mixed } from './contrast.ts'
import type { Elements } from './elements.ts'

/** The same in the light and in the dark theme. */
export interface Themed {
  light: string
  dark: string
}

/** The colours of a look, by the names of the components' variables. */
export const colourNames = [
  'paper',
  'surface',
  'sunken',
  'text',
  'mutedText',
  'border',
  'inputBorder',
  'accent',
] as const

export type ColourName = (typeof colourNames)[number]
export type Palette = Record<ColourName, Themed>

/** Corners (px) of controls and of sheets. */
export const corners = { small: [4, 8], medium: [8, 14], large: [14, 24] } as const

export interface Look {
  /** For the gallery. */
  title: string
  about: string
  colours: Palette
  radius: keyof typeof corners
  elements: Elements
}

const themed = (light: string, dark: string): Themed => ({ light, dark })

export const looks = {
  plain: {
    title: 'Plain',
    about: 'Ink on paper, blue buttons',
    // Those of client/ui/theme.css.
    colours: {
      paper: themed('#f7f7f5', '#121211'),
      surface: themed('#ffffff', '#1a1a18'),
      sunken: themed('#f1f1ee', '#242422'),
      text: themed('#1a1a18', '#ededea'),
      mutedText: themed('#5c5c56', '#a6a69e'),
      border: themed('#dfdfd9', '#353532'),
      inputBorder: themed('#8b8b84', '#72726a'),
      accent: themed('#2350c0', '#9dbcff'),
    },
    radius: 'medium',
    elements: {},
  },
  ink: {
    title: 'Ink',
    about: 'Black and white, square corners, heavy titles',
    colours: {
      paper: themed('#ffffff', '#0d0d0d'),
      surface: themed('#ffffff', '#161616'),
      sunken: themed('#f2f2f2', '#212121'),
      text: themed('#111111', '#f2f2f2'),
      mutedText: themed('#595959', '#a8a8a8'),
      border: themed('#d9d9d9', '#383838'),
      inputBorder: themed('#808080', '#767676'),
      accent: themed('#1f1f1f', '#e6e6e6'),
    },
    radius: 'small',
    elements: {
      title: { fontWeight: '700', letterSpacing: '-0.03em' },
      card: { boxShadow: 'none' },
    },
  },
  meadow: {
    title: 'Meadow',
    about: 'Green on a fresh white, round buttons',
    colours: {
      paper: themed('#f2f7f2', '#0f1410'),
      surface: themed('#ffffff', '#161c18'),
      sunken: themed('#eaf2eb', '#1f2721'),
      text: themed('#16211a', '#e6eee8'),
      mutedText: themed('#4e5d53', '#9eaea3'),
      border: themed('#d3e0d6', '#2f3a32'),
      inputBorder: themed('#7d8f83', '#6a7a6f'),
      accent: themed('#146c43', '#7fd6a8'),
    },
    radius: 'large',
    elements: { button: { borderRadius: '999px' } },
  },
  dusk: {
    title: 'Dusk',
    about: 'Violet, soft corners, a deep dark theme',
    colours: {
      paper: themed('#f6f4fb', '#12101a'),
      surface: themed('#ffffff', '#1a1724'),
      sunken: themed('#efebf8', '#241f31'),
      text: themed('#1d1830', '#ece8f6'),
      mutedText: themed('#5c5573', '#aaa2c2'),
      border: themed('#dfd9ee', '#352f47'),
      inputBorder: themed('#8a82a3', '#756c90'),
      accent: themed('#6133b8', '#c4a8ff'),
    },
    radius: 'large',
    elements: { title: { letterSpacing: '-0.02em' } },
  },
  sand: {
    title: 'Sand',
    about: 'Warm paper, clay buttons, titles in a serif',
    colours: {
      paper: themed('#faf5ec', '#15120d'),
      surface: themed('#fffdf8', '#1e1a14'),
      sunken: themed('#f4ecdd', '#29241b'),
      text: themed('#2a2118', '#f1e9dc'),
      mutedText: themed('#655847', '#b3a691'),
      border: themed('#e6d9c3', '#3b3428'),
      inputBorder: themed('#917f66', '#7b6f5c'),
      accent: themed('#9a3b14', '#f4ad83'),
    },
    radius: 'medium',
    elements: {
      title: { fontFamily: 'ui-serif, Georgia, serif', fontWeight: '600' },
      'section-title': { fontFamily: 'ui-serif, Georgia, serif' },
    },
  },
  clear: {
    title: 'Clear',
    about: 'High contrast: text at 7:1, strong frames',
    colours: {
      paper: themed('#ffffff', '#000000'),
      surface: themed('#ffffff', '#0a0a0a'),
      sunken: themed('#f0f0f0', '#1c1c1c'),
      text: themed('#000000', '#ffffff'),
      mutedText: themed('#404040', '#c9c9c9'),
      border: themed('#707070', '#8c8c8c'),
      inputBorder: themed('#4d4d4d', '#a8a8a8'),
      accent: themed('#00308f', '#b3d1ff'),
    },
    radius: 'medium',
    elements: {
      control: { borderWidth: '2px' },
      button: { borderWidth: '2px', fontWeight: '600' },
      link: { textDecorationThickness: '2px' },
    },
  },
} satisfies Record<string, Look>

export type LookName = keyof typeof looks
export const lookNames = Object.keys(looks) as [LookName, ...LookName[]]

const themes = ['light', 'dark'] as const

/** What follows from a palette: the fill of buttons, and the background of marked elements. */
export const derivedColours = ({ accent, surface }: Pick<Palette, 'accent' | 'surface'>) => ({
  fill: { light: accent.light, dark: darkFill(accent.light) },
  wash: { light: mixed(accent.light, surface.light, 0.09), dark: mixed(accent.dark, surface.dark, 0.13) },
})

/** The colours of messages (client/ui/theme.css). */
const messages = {
  danger: themed('#b3261e', '#ff9a91'),
  warning: themed('#7d4a00', '#f2bd63'),
  success: themed('#1c6b3c', '#7fd6a2'),
} as const

/** The uses of a colour on another one; the console has words of its own. */
const pairWords = {
  text: 'Text',
  mutedText: 'Muted text',
  link: 'Link',
  button: 'Button',
  danger: 'Message of danger',
  warning: 'Message of warning',
  success: 'Message of success',
  buttonText: 'White text on the button',
  markedText: 'Text on a marked element',
  markedLink: 'Link on a marked element',
  frame: 'Frame of a field',
} as const

type Ground = 'paper' | 'surface' | 'sunken'

/** A pair of colours, its contrast, and the minimum of WCAG 2.2: 4.5 for text, 3 for controls. */
export interface Pair {
  /** In English. */
  what: string
  use: keyof typeof pairWords
  ground: Ground | null
  /** The colour to change. */
  of: ColourName
  theme: (typeof themes)[number]
  ratio: number
  minimum: number
}

/** The contrast of what the colours are used for, in both themes. */
export function pairsOf(palette: Palette): Pair[] {
  const { fill, wash } = derivedColours(palette)
  return themes.flatMap((theme) => {
    const pairs: Pair[] = []
    const add = (use: Pair['use'], ground: Ground | null, of: ColourName, one: string, other: string, minimum = 4.5) =>
      pairs.push({
        what: `${pairWords[use]}${ground ? ` on ${ground}` : ''}, ${theme}`,
        ...{ use, ground, of, theme, ratio: contrast(one, other), minimum },
      })
    for (const back of ['paper', 'surface', 'sunken'] as const) {
      const ground = palette[back][theme]
      add('text', back, 'text', palette.text[theme], ground)
      add('mutedText', back, 'mutedText', palette.mutedText[theme], ground)
      add('link', back, 'accent', palette.accent[theme], ground)
      add('button', back, 'accent', fill[theme], ground, 3)
      for (const name of ['danger', 'warning', 'success'] as const) add(name, back, back, messages[name][theme], ground)
    }
    add('buttonText', null, 'accent', '#ffffff', fill[theme])
    add('markedText', null, 'text', palette.text[theme], wash[theme])
    add('markedLink', null, 'accent', palette.accent[theme], wash[theme])
    for (const back of ['surface', 'paper'] as const)
      add('frame', back, 'inputBorder', palette.inputBorder[theme], palette[back][theme], 3)
    return pairs
  })
}
