import * as z from 'zod'

/** Shape of what `continueTo` adds. */
export const continued = { redirect: z.boolean().optional(), url: z.string().optional() }

/** Where to go after a sign-in whose caller named a place; the edge has checked it. Nothing where none was named. */
export const continueTo = (callbackURL: string | undefined): { redirect?: true; url?: string } =>
  callbackURL ? { redirect: true, url: callbackURL } : {}
