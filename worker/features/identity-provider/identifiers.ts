import * as z from 'zod'

/** RFC 8707, section 2: an absolute URI without a fragment. */
export const resourceIdentifier = () =>
  z
    .string()
    .max(2000)
    .refine((text) => URL.canParse(text) && !/[\s#]/.test(text), 'must be an absolute URI without a fragment')

/** RFC 6749, section 3.3. */
export const scopeName = () => z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, 'must be a scope without spaces')

/** The form of the access tokens of a resource. */
export const tokenFormats = ['opaque', 'jwt'] as const
export type TokenFormat = (typeof tokenFormats)[number]
