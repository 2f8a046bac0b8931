import { describe, expect, it } from 'vitest'
import { contractOf } from '../http/feature.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { TestApp } from '../testing/harness.ts'
import { company, someone } from '../testing/organizations.ts'
import { alice, signUp } from '../testing/people.ts'
import { imageInput, isImageAddress, nameInput, plainName, webAddressInput } from './inputs.ts'

const unlimited = { rateLimit: { enabled: false } }

/** A line break, a control character, and characters that change the direction of text. */
const hiddenNames = ['Ann\nInvoice overdue', 'Ann\u0000', 'Ann\u2028Lee', 'Ann \u202egnp.exe', 'Ann\u2066', 'Ann\u200f']
const goodNames = ['Ann', "Seán O'Brien-Łukasz", '王小明', 'علی\u200cرضا', '👩‍👩‍👧', '']

const scripts = [
  'javascript:alert(1)',
  'data:text/html,<script>1</script>',
  'data:image/svg+xml;base64,AAAA',
  'file:///x',
]
const picture = `data:image/png;base64,${'A'.repeat(3000)}`

describe('names', () => {
  it.each(goodNames)('%j is one', (name) => {
    expect(nameInput.parse(name)).toBe(name)
    expect(plainName(name)).toBe(name)
  })

  it.each(hiddenNames)('%j is refused, and left out of what a service gives', (name) => {
    expect(nameInput.safeParse(name).success).toBe(false)
    expect(nameInput.safeParse(plainName(name)).success).toBe(true)
  })
})

describe('addresses of pictures and pages', () => {
  it('are http(s), and a picture may be a small bitmap', () => {
    for (const text of ['https://x.example/a.png', 'http://localhost:3000/a']) {
      expect({ webAddress: webAddressInput.safeParse(text).success, imageAddress: isImageAddress(text) }).toEqual({
        webAddress: true,
        imageAddress: true,
      })
    }
    for (const text of [...scripts, '/a.png', '', `https://x.example/${'a'.repeat(2048)}`]) {
      expect({ text, webAddress: webAddressInput.safeParse(text).success, imageAddress: isImageAddress(text) }).toEqual(
        { text, webAddress: false, imageAddress: false },
      )
    }
    expect({ small: isImageAddress(picture), large: isImageAddress(picture.repeat(3)) }).toEqual({
      small: true,
      large: false,
    })
    expect(imageInput.parse('')).toBe('')
  })
})

describe('every endpoint that takes them', () => {
  /** Fields that other users see, by endpoint: `name` in the body, or below `data`. */
  const endpoints = servedFeatures({ organization: { teams: { enabled: true } } })
    .flatMap((feature) => Object.values(contractOf(feature)))
    .flatMap(({ path, input }) => (input?.body ? [{ path, schema: input.body }] : []))

  it.each(['name', 'image', 'logo'])('refuses a %s that it must not show', (field) => {
    const value = field === 'name' ? hiddenNames[0] : scripts[0]
    const taking = endpoints.filter(({ schema }) => JSON.stringify(inputsOf(schema)).includes(`"${field}"`))
    expect(taking.length).toBeGreaterThan(1)
    for (const { path, schema } of taking) {
      // Only the owner sees the names of API keys and passkeys.
      if (/\/(?:create|update)-api-key$|^\/api-key\//.test(path)) continue
      const issues = [{ [field]: value }, { data: { [field]: value } }].flatMap(
        (body) => schema.safeParse(body).error?.issues ?? [],
      )
      const refused = issues.some(({ path: at, code }) => at.at(-1) === field && /format|custom/.test(code))
      expect({ path, refused }).toEqual({ path, refused: true })
    }
  })
})

/** The names of a body's fields, including the fields of its `data`. */
function inputsOf(schema: object): unknown {
  const { data, ...fields } = (schema as { shape?: Record<string, unknown> }).shape ?? {}
  const inner = (data as { shape?: object; unwrap?(): { shape?: object } } | undefined) ?? {}
  return [Object.keys(fields), Object.keys(inner.shape ?? inner.unwrap?.().shape ?? {})]
}

describe('POST /sign-up/email', () => {
  it.each([{ name: hiddenNames[0] }, { name: hiddenNames[3] }, { image: scripts[0] }])('400 for %j', async (wrong) => {
    const { status, body } = await new TestApp(unlimited).device().post('/sign-up/email', { ...alice, ...wrong })
    expect({ status, code: body.code, path: body.issues[0].path }).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      path: Object.keys(wrong)[0],
    })
  })

  it('takes what published clients send: a picture as a data: address, and none as an empty text', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice, { image: picture })
    expect((await device.get('/get-session')).body.user.image).toBe(picture)
    await signUp(app, { ...alice, email: 'none@example.com' }, { image: '' })
  })
})

describe('POST /organization/update', () => {
  it('400 for a name with a line break and for a logo that is a script', async () => {
    const app = new TestApp(unlimited)
    const owner = await someone(app, 'owner')
    await company(app, 'acme', owner)
    for (const data of [{ name: hiddenNames[0] }, { logo: scripts[0] }]) {
      const { status, body } = await owner.device.post('/organization/update', { data })
      expect({ status, code: body.code, path: body.issues[0].path }).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        path: `data.${Object.keys(data)[0]}`,
      })
    }
  })
})
