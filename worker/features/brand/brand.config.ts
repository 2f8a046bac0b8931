import * as z from 'zod'
import type { Themed } from '../../kit/brand.ts'
import { defineOptions } from '../../kit/options.ts'
import { isRelativePath, originOf } from '../../kit/urls.ts'
import { contrast } from './contrast.ts'

/** The papers that an accent stands on, light and dark (client/ui/theme.css). */
const papers = { light: '#ffffff', dark: '#212120' }

/** WCAG 2.2, 1.4.3: the least contrast of text. */
const leastContrast = 4.5

const readableOn = (paper: string) =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #2350c0')
    .refine((colour) => contrast(colour, paper) >= leastContrast, {
      error: ({ input }) =>
        `has a contrast of ${contrast(String(input), paper).toFixed(1)} to ${paper}; text needs ${leastContrast}`,
      abort: true,
    })

/** An address of a page or picture: at any origin, or a path of ours. */
const address = z
  .string()
  .refine((text) => isRelativePath(text) || isHttps(text), 'must be an address that begins with https://, or a path')

const isHttps = (text: string) => originOf(text)?.startsWith('https:') ?? false

/** A picture for both themes, or one for each. */
const picture = z.union([address, z.strictObject({ light: address, dark: address })]).nullable()

/** How the hosted screens and the mails look, beside `appName`. */
export const brandOptions = defineOptions(
  'brand',
  {
    /**
     * Address of a picture, at best as high as wide or wider; 28 pixels high on screens and in mails (some mail
     * programs show no SVG). One that cannot be seen on dark paper needs a twin: `{ light: '...', dark: '...' }`.
     */
    logo: null as string | Themed | null,
    /** Address of the picture beside the title of browser windows; the same. */
    favicon: null as string | Themed | null,
    /** The colour of what leads: in the light theme, also under white text; in the dark theme, on dark paper. */
    accent: { light: '#2350c0', dark: '#9dbcff' },
    terms: null as string | null,
    privacy: null as string | null,
    /** Of a page, or `mailto:`. */
    support: null as string | null,
  },
  undefined,
  {
    logo: picture,
    favicon: picture,
    accent: { light: readableOn(papers.light), dark: readableOn(papers.dark) },
    terms: address.nullable(),
    privacy: address.nullable(),
    support: z.union([address, z.string().startsWith('mailto:')]).nullable(),
  },
)
