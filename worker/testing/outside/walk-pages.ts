/** A browser without a screen: cookies by host, redirects, forms. */
export interface PlainBrowser {
  /** For a client at `origin`: the headers of a page there. */
  api(origin: string): typeof fetch
  /** One request with cookies, without following redirects. */
  request(url: string, init?: RequestInit): Promise<Response>
}

export function browserFetch(): PlainBrowser {
  const jars = new Map<string, Map<string, string>>()

  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      if (value === '' || /max-age=0(;|$)|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }

  return {
    request,
    api: (origin) => (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('origin', origin)
      return request(String(input), { ...init, headers })
    },
  }
}

const plainText = (text: string) => text.replaceAll('&amp;', '&')

/** The only form of a page: its action, and the values that it sends without user input. */
function readForm(html: string): { action: string; fields: URLSearchParams } | null {
  const action = html.match(/<form[^>]*action="([^"]+)"/)?.[1]
  if (!action) return null
  const fields = new URLSearchParams()
  for (const [input] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = input.match(/name="([^"]+)"/)?.[1]
    if (name) fields.set(name, plainText(input.match(/value="([^"]*)"/)?.[1] ?? ''))
  }
  return { action: plainText(action), fields }
}

/**
 * Completes a provider's pages as a user: signs in, consents, follows every redirect.
 * @param person the input of the sign-in form, or a cancellation
 * @returns the final address
 */
export async function walkPages(
  browser: PlainBrowser,
  start: string,
  person: { login: string; password: string } | 'refuses',
): Promise<string> {
  let url = start
  let init: RequestInit = {}
  for (let step = 0; step < 20; step++) {
    const answer = await browser.request(url, init)
    init = {}
    const location = answer.headers.get('location')
    if (location) {
      url = new URL(location, url).toString()
      continue
    }
    const html = await answer.text()
    const form = html.includes('<form') ? readForm(html) : null
    if (!form) return url
    if (person === 'refuses') {
      const abort = html.match(/href="([^"]*abort[^"]*)"/)?.[1]
      if (!abort) throw new Error('the page has no way back')
      url = new URL(plainText(abort), url).toString()
      continue
    }
    if (html.includes('name="login"')) {
      form.fields.set('login', person.login)
      form.fields.set('password', person.password)
    }
    url = new URL(form.action, url).toString()
    init = { method: 'POST', body: form.fields }
  }
  throw new Error('the walk does not end')
}
