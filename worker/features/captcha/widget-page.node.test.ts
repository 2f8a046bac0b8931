import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../identity/scope.ts'
import { captchaOptions } from './captcha.config.ts'
import { widgetPage } from './widget-page.ts'

/** Runs the page's script with a provider's script as documented. @returns the messages of the page */
async function run(changes: object, provided: object) {
  const captcha = { ...captchaOptions.defaults, siteKey: 'site-key', ...changes }
  const page = await widgetPage({ options: { captcha } } as unknown as Scope, 'light').text()
  const [, script] = /<script nonce="[^"]+">(.*)<\/script>/s.exec(page)!
  const told: { captcha: string; response?: string }[] = []
  const timers: { work: () => void; every: number }[] = []
  const element = { scrollHeight: 78, onload() {} }
  runInNewContext(script!, {
    window: provided,
    location: { origin: 'https://example.com' },
    parent: { postMessage: (message: (typeof told)[number]) => told.push(message) },
    setInterval: (work: () => void, every: number) => timers.push({ work, every }),
    document: {
      documentElement: element,
      getElementById: () => element,
      createElement: () => element,
      head: { append: (added: typeof element) => added.onload() },
    },
  })
  const answers = async () => {
    await new Promise(setImmediate)
    return told.filter((one) => one.captcha !== 'height')
  }
  return { answers, timers }
}

/** https://developers.google.com/recaptcha/docs/faq: a v3 key is rendered as invisible and must be executed. */
const grecaptcha = (asked: unknown[]) => ({
  ready: (then: () => void) => then(),
  render(_element: unknown, { size, sitekey }: { size?: string; sitekey: string }) {
    if (size !== 'invisible' || sitekey !== 'site-key') throw new Error('Invalid key type')
    return 7
  },
  async execute(widget: number, { action }: { action: string }) {
    asked.push([widget, action])
    return `score-${asked.length}`
  },
})

describe('the page of the widget', () => {
  it('reCAPTCHA v3: requests a response, and another before it is two minutes old', async () => {
    const asked: unknown[] = []
    const { answers, timers } = await run(
      { provider: 'google-recaptcha', recaptchaVersion: 3 },
      { grecaptcha: grecaptcha(asked) },
    )
    expect(await answers()).toEqual([{ captcha: 'answer', response: 'score-1' }])
    const again = timers.find(({ every }) => every > 100_000 && every < 120_000)!
    again.work()
    expect(await answers()).toContainEqual({ captcha: 'answer', response: 'score-2' })
    expect(asked).toEqual([
      [7, 'gatehouse'],
      [7, 'gatehouse'],
    ])
  })

  it('reCAPTCHA v3: reports an answer that cannot be requested as failed', async () => {
    const broken = { ...grecaptcha([]), execute: () => Promise.reject(new Error('offline')) }
    const { answers } = await run({ provider: 'google-recaptcha', recaptchaVersion: 3 }, { grecaptcha: broken })
    expect(await answers()).toEqual([{ captcha: 'failed' }])
  })

  it.each([
    ['cloudflare-turnstile', 'turnstile'],
    ['google-recaptcha', 'grecaptcha'],
    ['hcaptcha', 'hcaptcha'],
  ])('%s: waits for a visitor to solve it', async (provider, global) => {
    const rendered: { size?: string; callback(response: string): void }[] = []
    const api = { render: (_element: unknown, options: (typeof rendered)[number]) => rendered.push(options) }
    // Only reCAPTCHA keys have a version.
    const recaptchaVersion = provider === 'google-recaptcha' ? 2 : 3
    const { answers } = await run({ provider, recaptchaVersion }, { [global]: api })
    expect(await answers()).toEqual([])
    rendered[0]!.callback('solved')
    expect({ rendered: rendered[0]!.size, answers: await answers() }).toEqual({
      rendered: undefined,
      answers: [{ captcha: 'answer', response: 'solved' }],
    })
  })
})
