import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import type { Elements } from '../../../kit/elements.ts'
import type { Palette, Themed } from '../../../kit/looks.ts'
import type { WayId } from './ways.ts'

/** What `GET /config` returns. */
export interface PublicConfiguration {
  /** Addresses of pages and of a logo, and the appearance; hosted pages have it in the style sheet. */
  brand: {
    /** For components in pages of products. Null: that of the look plain. */
    look: { colors: Palette; corners: { control: number; sheet: number }; elements: Elements } | null
    /** One per theme if they differ. */
    logo: string | Themed | null
    providerMarks: 'color' | 'mono'
    /** Ids of ways to sign in, in the order in which they are shown; others follow. */
    ways: WayId[]
    themeSwitch: boolean
    languageSwitch: boolean
    terms: string | null
    privacy: string | null
    support: string | null
  }
}

export const brandContract = {
  favicon: get('/favicon', {
    summary: 'Returns the favicon: the configured one or the default',
    access: 'visitor',
    input: { query: z.object({ theme: z.enum(['light', 'dark']).optional() }) },
    answer: 'redirect',
    errors: [],
    budget: {},
    changes: [],
  }),
  texts: get('/texts', {
    summary: 'Returns the configured texts of a language, which replace those of the hosted screens',
    access: 'visitor',
    input: { query: z.object({ language: z.string().max(35) }) },
    answer: z.object({}).catchall(z.any()),
    errors: [],
    budget: {},
    changes: [],
  }),
  brandStyle: get('/brand.css', {
    summary: 'Returns the configured colours as a style sheet for the hosted screens',
    access: 'visitor',
    answer: 'style-sheet',
    errors: [],
    budget: {},
    changes: [],
  }),
  getBrand: get('/admin/brand', {
    summary: 'Returns the options of `brand`: those in force and the defaults',
    access: { admin: { user: ['list'] } },
    answer: z.object({ current: z.object({}).catchall(z.any()), defaults: z.object({}).catchall(z.any()) }),
    errors: [core.UNAUTHORIZED, httpErrors.FORBIDDEN],
    budget: { d1: 1 },
    changes: [],
  }),
}
