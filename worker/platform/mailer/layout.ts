import { html } from 'hono/html'
import type { Brand } from '../../kit/brand.ts'
import { directionOf, type Language } from '../../kit/language.ts'
import type { Themed } from '../../kit/looks.ts'
import { plainWords } from '../../kit/plain-words.ts'
import { type Dictionary, defineTexts, fill } from '../../kit/texts.ts'
import { textsIn } from '../../languages/texts.ts'
import type { Letter } from './mail.ts'

/** The texts of a mail in one language, as plain text. */
export interface MailWords {
  subject: string
  /** Replaces a missing subject. */
  heading?: string
  /** After the greeting. */
  paragraphs: readonly string[]
  /** The label of the button. */
  button?: string
  /** In small print at the end. */
  note?: string
}

/** The default texts of a mail, as data: `{name}` is a value of the template's data (identity/messages/templates.ts). */
export interface MailTexts extends Omit<MailWords, 'paragraphs'> {
  paragraphs: Readonly<Record<string, string>>
}

export const defineMail = (name: `mail/${string}`, english: MailTexts): Dictionary<MailTexts> =>
  defineTexts(name, english)

export interface LayoutContent extends MailWords {
  /** The recipient's name, if known. */
  name?: string | undefined
  /** The action of the mail: the target of the button, and the address to copy. */
  url?: string
  /** A one-time code that the user enters elsewhere. */
  code?: string
}

/** The brand and the language of a mail; a scope has both. */
export interface MailStyle {
  brand: Brand
  language: Language
}

export const layoutTexts = defineTexts('mail/layout', {
  helloPerson: 'Hello {name},',
  helloAll: 'Hello,',
  copy: 'If the button doesn’t work, open this address:',
  terms: 'Terms',
  privacy: 'Privacy',
  support: 'Support',
})

/** The greeting. An attacker may have chosen the name, so it is shown as plain text. */
function greeting({ brand, language }: MailStyle, name = ''): string {
  const shown = plainWords(name)
  const { helloPerson, helloAll } = textsIn(layoutTexts, language, brand.texts)
  return shown ? fill(helloPerson, { name: shown }, language) : helloAll
}

const sans = "font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const mono = 'font-family: ui-monospace, Menlo, Consolas, monospace'

/** For clients with dark mode; all others use the inline styles. */
const stylesOf = ({ colours }: Brand) => `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .paper { background: ${colours.paper.dark} !important; }
    .card { background: ${colours.surface.dark} !important; border-color: ${colours.border.dark} !important; }
    .ink { color: ${colours.text.dark} !important; }
    .soft, .soft a { color: ${colours.mutedText.dark} !important; }
    .code { background: ${colours.sunken.dark} !important; }
    .by-day { display: none !important; }
    .by-night { display: inline !important; }
  }
  @media (max-width: 620px) {
    .card { padding: 24px 20px 12px !important; }
    .margin { padding-left: 21px !important; padding-right: 21px !important; }
  }
`

/** A number stays on the line of its unit: `5 minutes`. */
const together = (text: string): string => text.replace(/(?<=\d) (?=\p{L})/gu, '\u00a0')

const paragraph = ({ colours }: Brand, content: string) => html`
            <p class="ink" style="margin: 0 0 16px; ${sans}; font-size: 16px; line-height: 1.5; color: ${colours.text.light};
              overflow-wrap: anywhere;">${together(content)}</p>`

const smallPrint = ({ colours }: Brand, content: unknown) => html`
            <p class="soft" style="margin: 0 0 12px; ${sans}; font-size: 13px; line-height: 1.5; color: ${colours.mutedText.light};
              overflow-wrap: anywhere;">${content}</p>`

/** An address that may break between its parts. */
const inParts = (url: string) =>
  url.split(/(?<=[^/]\/)(?=[^/])/).map((part, index) => (index > 0 ? html`<wbr />${part}` : part))

/** The accent of the light theme for both themes, under white text, as in the app's own buttons. */
const buttonTo = ({ accent, corners: [corner] }: Brand, url: string, label: string) => html`
            <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 24px 0;"><tr>
              <td class="button" bgcolor="${accent.light}" style="background: ${accent.light}; border-radius: ${corner}px;"><a href="${url}"
                style="display: inline-block; padding: 12px 20px; ${sans}; font-size: 16px; font-weight: 600; line-height: 1.25;
                color: #ffffff; text-decoration: none;">${label}</a></td>
            </tr></table>`

const codeBox = ({ colours, corners: [corner] }: Brand, code: string) => html`
            <p class="ink code" style="margin: 24px 0; padding: 16px 8px; background: ${colours.sunken.light}; border-radius: ${corner}px; text-align: center;
              ${mono}; font-size: 28px; line-height: 1.25; letter-spacing: 4px; text-indent: 4px; color: ${colours.text.light};">${code}</p>`

const logoImage = (address: string, attributes: unknown = '', display = 'inline') =>
  html`<img src="${address}" alt=""${attributes} height="28" style="display: ${display}; height: 28px; width: auto; max-width: 160px; border: 0; vertical-align: middle; margin-right: 10px;" />`

/** The logo. If the dark theme has another one, both; a client without dark mode shows the first. */
const logoOf = ({ light, dark }: Themed) =>
  light === dark
    ? logoImage(light)
    : html`${logoImage(light, html` class="by-day"`)}${logoImage(dark, html` class="by-night"`, 'none')}`

/** The header of the mail: the logo, if any, and the name. */
const masthead = ({ logo, name, colours }: Brand) => html`
            <p class="ink" style="margin: 0 0 16px; ${sans}; font-size: 16px; font-weight: 600; line-height: 28px; color: ${colours.text.light};">${
              logo !== null && logoOf(logo)
            }${name}</p>`

/** The brand's pages with labels in one language. */
const linksOf = (brand: Brand, language: Language) =>
  (['terms', 'privacy', 'support'] as const).flatMap((page) => {
    const url = brand[page]
    return url === null ? [] : [{ label: textsIn(layoutTexts, language, brand.texts)[page], url }]
  })

function asHtml({ brand, language }: MailStyle, content: LayoutContent): string {
  const { subject, heading = subject, paragraphs, button, url, code, note, name } = content
  const links = linksOf(brand, language)
  const { colours } = brand
  return String(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <title>${subject}</title>
    <style>${stylesOf(brand)}</style>
  </head>
  <body class="paper" style="margin: 0; padding: 0; background: ${colours.paper.light};">
    <div style="display: none; max-height: 0; overflow: hidden;">${paragraphs[0]}</div>
    <div role="main">
    <table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background: ${colours.paper.light};">
      <tr>
        <td align="center" style="padding: 32px 12px;">
          <table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width: 100%; max-width: 560px;">
            <tr>
              <td class="margin" style="padding: 0 41px;">${masthead(brand)}
              </td>
            </tr>
            <tr>
              <td class="card" style="padding: 32px 40px 20px; background: ${colours.surface.light}; border: 1px solid ${colours.border.light}; border-radius: ${brand.corners[1]}px;">
            <h1 class="ink" style="margin: 0 0 16px; ${sans}; font-size: 22px; line-height: 1.3; color: ${colours.text.light}; overflow-wrap: anywhere; text-wrap: balance; word-break: auto-phrase;">${heading}</h1>
            ${[greeting({ brand, language }, name), ...paragraphs].map((text) => paragraph(brand, text))}
            ${code && codeBox(brand, code)}
            ${
              button &&
              url &&
              html`${buttonTo(brand, url, button)}
            ${smallPrint(brand, html`${textsIn(layoutTexts, language, brand.texts).copy}<br /><a href="${url}" style="color: ${colours.mutedText.light}; overflow-wrap: anywhere;">${inParts(url)}</a>`)}`
            }
            ${note && smallPrint(brand, together(note))}
              </td>
            </tr>
            <tr>
              <td class="margin" style="padding: 16px 41px 0;">${
                links.length > 0 &&
                smallPrint(
                  brand,
                  links.map(
                    ({ label, url: page }) =>
                      html`<a href="${page}" style="color: ${colours.mutedText.light}; margin-right: 16px; white-space: nowrap;">${label}</a> `,
                  ),
                )
              }
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
    </div>
  </body>
</html>`)
}

/**
 * The same content as text, in the same order. Addresses and codes are on separate lines, so that they can be copied.
 */
function asText({ brand, language }: MailStyle, content: LayoutContent): string {
  const { subject, heading = subject, paragraphs, button, url, code, note, name } = content
  const blocks = [heading, greeting({ brand, language }, name), ...paragraphs]
  if (code !== undefined) blocks.push(code)
  if (button && url) blocks.push(`${button}:\n${url}`)
  if (note !== undefined) blocks.push(note)
  const links = linksOf(brand, language).map(({ label, url: page }) => `${label}: ${page}`)
  return `${[...blocks, ['-- ', brand.name, ...links].join('\n')].join('\n\n')}\n`
}

/** Renders a mail: HTML for mail clients, with everything escaped, and its text version. */
export const layOutMail = (style: MailStyle, content: LayoutContent): Pick<Letter, 'subject' | 'text' | 'html'> => ({
  subject: content.subject,
  text: asText(style, content),
  html: asHtml(style, content),
})
