import * as z from 'zod'
import { contrast } from '../../../kit/contrast.ts'
import { presentId } from '../../../kit/earlier-ids.ts'
import { type Declarations, declarationProblem, elementNames } from '../../../kit/elements.ts'
import { lookNames, pairsOf } from '../../../kit/looks.ts'
import { defineOptions, flag, objectOf, section } from '../../../kit/options.ts'
import { isRelativePath, originOf } from '../../../kit/urls.ts'
import { colouredBrand } from './brand-look.ts'
import { earlierWays, wayIds } from './ways.ts'

/** The backgrounds of an accent, light and dark (client/ui/theme.css). */
const papers = { light: '#ffffff', dark: '#212120' }

/** WCAG 2.2, 1.4.3: the minimum contrast of text. */
const leastContrast = 4.5

// `abort`: a text that is not a colour has no contrast.
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #2350c0', abort: true })

const readableOn = (paper: string) =>
  colour.refine((colour) => contrast(colour, paper) >= leastContrast, {
    error: ({ input }) =>
      `has a contrast of ${contrast(String(input), paper).toFixed(1)} to ${paper}; text needs ${leastContrast}`,
    abort: true,
  })

/** An address of a page or image: at any origin, or a path of ours. */
const address = z
  .string()
  .refine((text) => isRelativePath(text) || isHttps(text), 'must be an address that begins with https://, or a path')

const isHttps = (text: string) => originOf(text)?.startsWith('https:') ?? false

/** An image for both themes, or one per theme. */
const picture = z
  .union([address, objectOf({ light: address, dark: address })])
  .nullable()
  .default(null)

/** A language (BCP 47) as Intl writes it. */
const tag = z.string().refine(isTag, 'must be a language such as nl or pt-BR')

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text
  } catch {
    return false
  }
}

const group = z.custom<Readonly<Record<string, unknown>>>(isGroupOfTexts, 'must be an object of texts')

/** Texts, and groups and plural forms of texts. */
function isGroupOfTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((one) => (typeof one === 'string' ? one !== '' : isGroupOfTexts(one)))
}

/** A colour, or one per theme. */
const colours = z
  .union([colour, objectOf({ light: colour, dark: colour })])
  .nullable()
  .default(null)

const declarations = z.record(z.string(), z.any()).superRefine((value, { addIssue }) => {
  const problem = declarationProblem(value as Declarations)
  if (problem !== null) addIssue({ code: 'custom', message: `has a declaration that is not allowed: ${problem}` })
}) as z.ZodType<Declarations>

/** A text, or one per language (BCP 47); the first one is for all other languages. */
const slot = z
  .union([
    z.string().min(1),
    objectOf({
      /** The text, or one for each language. */
      text: z.union([
        z.string().min(1),
        z.record(tag, z.string().min(1)).refine((texts) => Object.keys(texts).length > 0, 'must have a text'),
      ]),
      /** Makes the text a link. */
      href: address.optional(),
    }),
  ])
  .nullable()
  .default(null)

const way = z
  .enum([...wayIds, ...(Object.keys(earlierWays) as (keyof typeof earlierWays)[])])
  .transform((id) => presentId(earlierWays, id))

/** The appearance of the hosted screens and the mails, in addition to `appName`. */
export const brandOptions = defineOptions(
  'brand',
  () =>
    section({
      /**
       * Address of an image, preferably at least as wide as high. Screens and mails show it 28 pixels high; some mail
       * programs do not show SVG. `{ light: '...', dark: '...' }` if it is invisible on a dark background.
       */
      logo: picture,
      /** Address of the favicon. */
      favicon: picture,
      /**
       * A prepared look: colours, corners and details of elements. All other options change it. `/dev/brand` and the page
       * "Brand" of the console show them.
       */
      look: z.enum(lookNames).default('plain'),
      /**
       * The accent colour in place of that of the look: in the light theme also under white text, in the dark theme on a
       * dark background.
       */
      accent: section({
        light: readableOn(papers.light).nullable().default(null),
        dark: readableOn(papers.dark).nullable().default(null),
      }),
      /**
       * Colours in place of those of the look, on screens and in mails: one such as `#f7f7f5`, or `{ light, dark }`. Without
       * sufficient contrast the Worker does not start.
       */
      colors: section({
        /** Behind sheets and mails. */
        paper: colours,
        /** Sheets, menus and dialogs. */
        surface: colours,
        /** Hovered and inactive elements. */
        sunken: colours,
        /** Texts. */
        text: colours,
        /** Texts of less weight. */
        mutedText: colours,
        /** Lines and frames of sheets. */
        border: colours,
        /** Frames of inputs. */
        inputBorder: colours,
      }),
      /** The corners: of controls 4, 8 or 14 px, of sheets 8, 14 or 24 px. `null`: those of the look. */
      radius: z.enum(['small', 'medium', 'large']).nullable().default(null),
      /**
       * CSS declarations for single elements of the screens: `{ button: { borderRadius: '999px', ':hover': { … } } }`. The
       * components have the same elements: root, card, title, intro, section, section-title, field, label, control, button,
       * button-primary, button-secondary, button-quiet, button-danger, button-destroy, link, note, divider, avatar, badge,
       * menu, menu-item, dialog, tabs, tab, slot.
       */
      elements: z.partialRecord(z.enum(elementNames), declarations).default({}),
      /** Texts of your own on the signed-out screens, in addition to ours. */
      slots: section({
        /** A line above the screen. */
        top: slot,
        /** Over the picture of the layout `split`. */
        beside: slot,
        /** A line at the end of the screen. */
        bottom: slot,
      }),
      /**
       * Address of a font of your own for the screens: a variable WOFF2 file with the weights 400 to 700. A file of another
       * site needs an `Access-Control-Allow-Origin` header. A visitor whose browser has not loaded it yet sees the system's
       * font.
       */
      font: address.nullable().default(null),
      /** Behind the signed-out screens. Their texts always lie on a sheet, so that any colour or picture can be used. */
      background: section({
        /** A colour such as `#e8eefc`, or `{ light: '...', dark: '...' }`. */
        color: z
          .union([colour, objectOf({ light: colour, dark: colour })])
          .nullable()
          .default(null),
        /** Address of a picture that covers the background. */
        picture,
        /**
         * `page`: the sheet in the middle, before the background. `split`: in the half of a window from 1024 px on, beside
         * the sheet; without a colour or a picture it has the colour of buttons.
         */
        layout: z.enum(['page', 'split']).default('page'),
      }),
      /** The theme until the user chooses another one; with `themeSwitch: false` for all users. `system`: the device's. */
      theme: z.enum(['system', 'light', 'dark']).default('system'),
      /** Whether users can choose the theme. */
      themeSwitch: flag(true),
      /** Whether users can choose the language. Without the switch the browser's language applies. */
      languageSwitch: flag(true),
      /** The place of logo and title on the signed-out screens. */
      logoPosition: z.enum(['center', 'start']).default('center'),
      /**
       * The order of the ways to sign in beside the form: `['passkey', 'social']` puts the passkey first. Ways that are not
       * named follow in the usual order. `access-identity` and `phone-number` are earlier ids of `cloudflare-access` and
       * `phone-otp`.
       */
      ways: z.array(way).default([]),
      /** Marks of providers in their own colours where their rules ask for them, or all in the colour of the text. */
      providerMarks: z.enum(['color', 'mono']).default('color'),
      /**
       * Texts of the screens and mails that replace ours: by language (BCP 47), dictionary and key. A language that we do
       * not have is added to the choice; English replaces its missing texts. The names are in the file `languages/en.json`
       * of the app; /dev/texts checks yours.
       */
      texts: z.record(tag, z.record(z.string(), group)).default({}),
      /** Address of the terms of service: an https address or a path. The sign-up links to it. */
      terms: address.nullable().default(null),
      /** Address of the privacy policy: an https address or a path. The sign-up links to it. */
      privacy: address.nullable().default(null),
      /** A page, or `mailto:`. */
      support: z
        .union([address, z.string().startsWith('mailto:')])
        .nullable()
        .default(null),
    }),
  {
    // An accent alone is checked against the papers of the look plain, by its own rule.
    contradictions: (own) =>
      own.look === 'plain' && Object.values(own.colors).every((one) => one === null)
        ? []
        : pairsOf(colouredBrand(own).colours)
            .filter(({ ratio, minimum }) => ratio < minimum)
            .map(({ what, of, ratio, minimum }) => [
              true,
              of === 'accent' ? 'brand.accent' : `brand.colors.${of}`,
              `${what}: the contrast is ${ratio.toFixed(1)}, and must be ${minimum}`,
            ]),
  },
)
