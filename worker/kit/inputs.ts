import * as z from 'zod'

/** Values that one caller chooses and others see: on pages, in mails, in applications. Each input has one of these. */

/** Control characters, line and paragraph separators, and characters that change the direction of text (UAX #9). */
const unprintable = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}'

const plainText = new RegExp(`^[^${unprintable}]*$`, 'u')

/** A name on one line, without control characters and without characters that change the direction of text. */
export const nameInput = z.string().trim().max(256).regex(plainText, {
  error: 'no line breaks, control characters or characters that change the direction of text',
})

/** A time in ISO 8601. */
export const instantInput = z.iso.datetime({ offset: true }).max(64)

const hidden = new RegExp(`[${unprintable}]+`, 'gu')

/**
 * The same for a name from a service or a file, which cannot be corrected by its author: invalid characters are
 * removed.
 */
export const plainName = (name: string): string => name.replace(hidden, ' ').trim()

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/**
 * The maximum number of characters. An image is part of every response with its user, and of the cookie that caches the
 * session.
 */
const maxLength = { address: 2048, picture: 6 * 1024 }

/** An http(s) address, such as that of a page or a logo. */
export const webAddressInput = z.string().max(maxLength.address).refine(isWebAddress, 'must be an http(s) address')

/** A bitmap as a `data:` address (RFC 2397). SVG is rejected, because a browser may execute it. */
const inlineImage = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/

/** Whether an image may be shown to other users: an http(s) address, or a small bitmap as a `data:` address. */
export const isImageAddress = (text: string): boolean =>
  text.startsWith('data:')
    ? text.length <= maxLength.picture && inlineImage.test(text)
    : text.length <= maxLength.address && isWebAddress(text)

/** The same as input. Published clients send an empty string for a form without an image. */
export const imageInput = z
  .string()
  .max(maxLength.picture)
  .refine(
    (text) => text === '' || isImageAddress(text),
    'must be an http(s) address, or a small PNG, JPEG, GIF, WebP or AVIF picture as a data: address',
  )
