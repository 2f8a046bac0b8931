import { randomBytes } from 'node:crypto'
import type { Scope } from '../../identity/scope.ts'
import { ms, seconds } from '../../kit/time.ts'
import { captchaOptions } from './captcha.config.ts'
import { captchaProviders } from './providers.ts'

/** The widget in a frame: the provider's hosts do not loosen the Content Security Policy of the page around it. */
export function widgetPage(scope: Scope, theme: 'light' | 'dark'): Response {
  const { provider, siteKey, recaptchaVersion } = captchaOptions.of(scope)
  const { script, global, hosts } = captchaProviders[provider!].widget
  const scored = provider === 'google-recaptcha' && recaptchaVersion === 3
  const nonce = randomBytes(16).toString('base64')
  const sources = hosts.join(' ')
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${sources}`,
    `style-src 'unsafe-inline' ${sources}`,
    `img-src data: ${sources}`,
    `connect-src ${sources}`,
    `frame-src ${sources}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return new Response(html({ script, global, siteKey, theme, nonce, scored }), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'SAMEORIGIN',
      // The providers check by the referrer that the site belongs to the key.
      'referrer-policy': 'strict-origin-when-cross-origin',
    },
  })
}

interface Widget {
  script: string
  global: string
  siteKey: string
  theme: 'light' | 'dark'
  nonce: string
  /** The script requests the response without a challenge: https://developers.google.com/recaptcha/docs/faq. */
  scored: boolean
}

/** How long (ms) a response is used before a new one is requested. It is valid for two minutes. */
const freshAnswer = ms(seconds(110))

/** Returns JSON that is safe inside a script element. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const invisible = "size: 'invisible', badge: 'inline',"
const askForScore = `const ask = () => api.execute(widget, { action: 'gatehouse' }).then(answer, failed)
  ask()
  setInterval(ask, ${freshAnswer})`

/**
 * Sends `{ captcha: 'answer' | 'expired' | 'failed', response }` to the parent page, and its own height when a
 * challenge opens or closes. All three providers have the same `render`.
 */
const html = ({ script, global, siteKey, theme, nonce, scored }: Widget): string => `<!doctype html>
<meta charset="utf-8"><title>captcha</title>
<style>body{margin:0;color-scheme:${theme};background:transparent}</style>
<div id="widget"></div>
<script nonce="${nonce}">
const post = (message) => parent.postMessage({ captcha: 'height', ...message }, location.origin)
const failed = () => post({ captcha: 'failed' })
function show(api) {
  const answer = (response) => post({ captcha: 'answer', response })
  const widget = api.render(document.getElementById('widget'), {
    sitekey: ${inScript(siteKey)},
    theme: ${inScript(theme)},
    ${scored ? invisible : ''}
    callback: answer,
    'expired-callback': () => post({ captcha: 'expired' }),
    'error-callback': failed,
  })
  ${scored ? askForScore : ''}
  let height = 0
  setInterval(() => {
    const now = document.documentElement.scrollHeight
    if (now !== height) post({ height: (height = now) })
  }, 250)
}
const element = document.createElement('script')
element.src = ${inScript(script)}
element.nonce = ${inScript(nonce)}
element.onerror = failed
element.onload = () => {
  const api = window[${inScript(global)}]
  if (!api) failed()
  else if (api.ready) api.ready(() => show(api))
  else show(api)
}
document.head.append(element)
</script>
`
