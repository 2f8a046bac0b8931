import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { blank, type HashFormat, memoryBound } from './hash-format.ts'

/** PHC string format, as RFC 9106 libraries write it: memory in KiB, passes, lanes. */
const form =
  /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,128})={0,2}\$([A-Za-z0-9+/]{11,171})={0,2}$/

/** KiB times passes: 64 MiB in three passes (RFC 9106, section 4), which take about 3 s; OWASP's 19 MiB twice 0.6 s. */
const mostWork = 3 * 65_536

export const argon2id: HashFormat = (stored) => {
  const [, memory, passes, lanes, salt = '', key = ''] = form.exec(stored) ?? []
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)] as const
  if (!memory || t < 1 || p < 1 || m < 8 * p) return null
  const parameters = `m=${m},t=${t},p=${p}`
  const work = m * t > mostWork ? `argon2id ${parameters} is over m × t = ${mostWork}` : null
  return {
    format: 'argon2id',
    cost: `argon2id ${parameters}`,
    tooMuch: memoryBound(m * 1024) ?? work,
    sample: () => `$argon2id$v=19$${parameters}$${blank(salt)}$${blank(key)}`,
    async verify(password) {
      const { argon2id: derive } = await import('@noble/hashes/argon2.js')
      const expected = Buffer.from(key, 'base64')
      const actual = derive(password, Buffer.from(salt, 'base64'), { m, t, p, dkLen: expected.length })
      return timingSafeEqual(actual, expected)
    },
  }
}
