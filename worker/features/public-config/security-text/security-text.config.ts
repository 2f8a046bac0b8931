import * as z from 'zod'
import { defineOptions, positive, section } from '../../../kit/options.ts'
import { days } from '../../../kit/time.ts'

const isContact = (text: string) => /^(?:https:\/\/|mailto:|tel:)[^\s\p{Cc}]+$/u.test(text)
const address = z
  .string()
  .max(2048)
  .refine((text) => /^https:\/\/[^\s\p{Cc}]+$/u.test(text), 'must begin with https://')
const optionalAddress = address.nullable().default(null)

export const securityTextOptions = defineOptions('securityText', () =>
  section({
    /**
     * Where researchers report vulnerabilities, the preferred one first: `mailto:security@example.com` or an https address.
     * With one, `/.well-known/security.txt` (RFC 9116) exists.
     */
    contact: z
      .array(z.string().max(2048).refine(isContact, 'must begin with https://, mailto: or tel:'))
      .max(10)
      .default([]),
    /** The policy for reports. */
    policy: optionalAddress,
    /** The key with which reports are encrypted. */
    encryption: optionalAddress,
    /** The page that thanks researchers. */
    acknowledgments: optionalAddress,
    /** A page with vacancies about security. */
    hiring: optionalAddress,
    /** The languages of reports, such as `['en', 'de']`. */
    languages: z
      .array(z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$/))
      .max(20)
      .default([]),
    /** How long (s) readers may rely on the file, at most a year. The file says the end of the day. */
    validity: positive.max(days(365)).default(days(90)),
  }),
)
