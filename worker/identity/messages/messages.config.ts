import * as z from 'zod'
import type { ProductTypes } from '../../kit/account-types.ts'
import { howToSet } from '../../kit/how-to-set.ts'
import {
  type Contradiction,
  callable,
  defineOptions,
  limitOf,
  parts,
  positive,
  type Retyped,
  section,
} from '../../kit/options.ts'
import { hours, minutes } from '../../kit/time.ts'
import type { OwnTransport } from '../../platform/mailer/mail.ts'
import type { OwnTextTransport } from '../../platform/texter/text-message.ts'
import type { DeploymentFacts } from '../settings.ts'
import { type MailTemplates, mailNames, type TextTemplates, textNames } from './templates.ts'

/** Functions by name. */
const functions = <Functions>(names: readonly string[]) =>
  parts(Object.fromEntries(names.map((name) => [name, callable()]))) as unknown as z.ZodType<Functions, Functions>

/** The transport of mails, and a product's own texts. */
export const mailOptions = defineOptions(
  'mail',
  () =>
    section({
      /**
       * `mailbox`: the local mailbox in KV, shown at /dev/mailbox, for development. `cloudflare`: the `send_email`
       * binding named EMAIL. `smtp`: the server of SMTP_HOST, SMTP_PORT, SMTP_USER and SMTP_PASSWORD. `resend`,
       * `postmark`: their HTTP APIs, with RESEND_API_KEY and POSTMARK_SERVER_TOKEN. Or your own function.
       */
      transport: z
        .union([z.enum(['mailbox', 'cloudflare', 'smtp', 'resend', 'postmark']), callable<OwnTransport>()])
        .default('mailbox'),
      from: section({
        /** The address of the sender. Its domain must allow your transport to send (SPF, DKIM). */
        address: z.string().default('accounts@gatehouse.example.com'),
        /** The name of the sender. */
        name: z.string().default('Gatehouse'),
      }),
      smtp: parts({
        /**
         * `implicit`: TLS from the first byte (RFC 8314), the protocol and default of port 465. `starttls`: starts
         * unencrypted and then requires TLS, the default of all other ports. `none`: not encrypted; for loopback only.
         */
        tls: z.enum(['implicit', 'starttls', 'none']),
      }).optional(),
      postmark: parts({
        /** For the Postmark server. @default `outbound` */
        messageStream: z.string(),
      }).optional(),
      templates: functions<MailTemplates>(mailNames).default({}),
    }),
  {
    contradictions: ({ transport }, { settings: { environment }, env }: DeploymentFacts) => [
      [
        environment === 'production' && transport === 'mailbox',
        'mail.transport',
        "the local mailbox is for development (ENVIRONMENT is production); choose 'cloudflare', 'smtp', 'resend', 'postmark' or a function",
      ],
      [
        transport === 'smtp' && !env.SMTP_HOST,
        'SMTP_HOST',
        `is missing; it names your mail server while mail.transport is smtp: ${howToSet('SMTP_HOST')}`,
      ],
      ...apiKeys.map(
        ([one, secret]): Contradiction => [
          transport === one && !env[secret],
          secret,
          `is missing; ${howToSet(secret)}, or change mail.transport (${one})`,
        ],
      ),
      [
        transport === 'cloudflare' && !env.EMAIL,
        'EMAIL',
        'is missing; bind send_email in wrangler.toml for mail.transport cloudflare',
      ],
    ],
  },
)

/** The settings of HTTP transports of mails. */
const apiKeys = [
  ['resend', 'RESEND_API_KEY'],
  ['postmark', 'POSTMARK_SERVER_TOKEN'],
] as const

/** The same for text messages. */
export const textOptions = defineOptions('text', () =>
  section({
    /** `mailbox`: the local mailbox, for development. `twilio`: Twilio's Messages API. Or your own function. */
    transport: z.union([z.enum(['mailbox', 'twilio']), callable<OwnTextTransport>()]).default('mailbox'),
    templates: functions<TextTemplates>(textNames).default({}),
  }),
)

type BuiltIn<O> = Exclude<O, (...given: never[]) => unknown>

export interface TypedMessageOptions<T extends ProductTypes> {
  mail?: Retyped<
    typeof mailOptions,
    { transport?: BuiltIn<(typeof mailOptions)['defaults']['transport']> | OwnTransport<T['env']> }
  >
  text?: Retyped<
    typeof textOptions,
    { transport?: BuiltIn<(typeof textOptions)['defaults']['transport']> | OwnTextTransport<T['env']> }
  >
}

/**
 * Outgoing mails and text messages. The budgets count per recipient, for requests from all addresses together, so that
 * an attacker cannot flood a mailbox or a phone. Three budgets of mails are independent of each other: mails that
 * others request, mails that the recipient's own browsers and sessions request, and security notices.
 */
export const messageOptions = defineOptions('messages', () =>
  section({
    /**
     * Mails to one recipient that were not requested from the recipient's own browsers or sessions, all kinds together.
     * Requested mails have a budget of the same size per kind.
     */
    mailsPerRecipient: limitOf(20, hours(1)),
    /** The part of them that one kind may use, so that requests for one kind do not use up the mails of another. */
    mailsPerKind: limitOf(10, hours(1)),
    /** Notices of one security event to one recipient (identity/security/), separate from all other messages. */
    noticesPerRecipient: limitOf(10, hours(1)),
    /** Mails of the whole deployment to addresses that another user names, such as invitations. */
    mailsToOthersPerDay: positive.default(5000),
    /** Changes of address that one user starts: each may mail an address that the user names. */
    addressChangesPerPerson: limitOf(20, hours(1)),
    /** Text messages to one number. */
    textsPerNumber: limitOf(10, minutes(15)),
    /** Text messages of the whole deployment. */
    textsPerDay: positive.default(1000),
  }),
)
