import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { emailInput } from '../identity/users/users.contract.ts'
import { comparedAddress, readAddress } from '../kit/email-address.ts'
import { readContracts } from '../testing/contracts.ts'

/** Texts of one address as users type them. */
const spellings = [
  'ida@xn--mller-x-n2a.example',
  'Ida@MÜLLER-X.example',
  '  ida@müller-x.example\n',
  '\u3000ida@mu\u0308ller-x.example\u00a0',
  'ｉｄａ＠müller-x。example',
]

/** Texts that are not addresses. */
const refused = [
  'ida@müller\u202e-x.example',
  'ida\u200b@example.com',
  'i\u0000da@example.com',
  'ida\n@example.com',
  'ida@exam ple.com',
  'idä@example.com',
  'ida@example.com/x',
  'ida@example.com:80',
  'ida@ex%61mple.com',
  'ida@127.0.0.1',
  'ida@0x7f.1',
  'ida@localhost',
  'ida@xn--a.example',
  'ida@@example.com',
  '@example.com',
  'ida',
  '',
  `${'a'.repeat(250)}@example.com`,
  'a'.repeat(100_000),
]

describe('an address', () => {
  const [stored] = spellings
  it.each(spellings)('%j is read in its stored form', (text) => {
    expect(readAddress(text)).toBe(stored)
    expect(comparedAddress(text)).toBe(stored)
    expect(emailInput.parse(text)).toBe(stored)
  })

  it.each(refused)('%j is refused', (text) => {
    expect(readAddress(text)).toBeNull()
    expect(emailInput.safeParse(text).success).toBe(false)
  })

  it('keeps its plain forms', () => {
    for (const text of [
      "o'neil+tag@sub.example.co",
      'a@b.example',
      'x_y-z@example.museum',
      'ida@xn--e1afmkfd.xn--p1ai',
    ]) {
      expect(readAddress(text)).toBe(text)
    }
  })
})

/** The fields of an input by their paths. */
function fieldsOf(schema: z.ZodType | undefined, path = ''): [string, z.ZodType][] {
  if (schema === undefined) return []
  const def = (schema as unknown as { _zod: { def: Record<string, unknown> & { type: string } } })._zod.def
  if (def.type === 'object') {
    return Object.entries(def.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
      fieldsOf(field, `${path}.${name}`),
    )
  }
  const inner = [def.innerType, def.element, def.in, ...((def.options as unknown[]) ?? [])].filter(
    Boolean,
  ) as z.ZodType[]
  return [[path, schema], ...inner.flatMap((one) => fieldsOf(one, path))]
}

describe('every field of the contract that is an address', async () => {
  const fields = (await readContracts()).flatMap(({ contract }) =>
    Object.values(contract).flatMap(({ method, path, input: { body, query } = {} }) =>
      [...fieldsOf(body), ...fieldsOf(query)]
        .filter(([name, field]) => /email$/i.test(name) && field.safeParse('ida@example.com').success)
        .map(([name, field]): [string, z.ZodType] => [`${method} ${path} ${name}`, field]),
    ),
  )

  it('is found', () => {
    expect(fields.length).toBeGreaterThan(15)
  })

  it.each(fields)('%s accepts blanks and an international domain', (_name, field) => {
    for (const text of spellings) expect(field.safeParse(text)).toMatchObject({ success: true })
  })
})
