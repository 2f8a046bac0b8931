import type { HashFormat } from './hash-format.ts'

const form = /^\$2([aby])\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Cost 12 takes about 0.6 s; every one more doubles it. */
const highestCost = 12

/** bcrypt. Of a password it sees the first 72 bytes, whoever made the hash. */
export const bcrypt: HashFormat = (stored) => {
  const [, minor, cost = ''] = form.exec(stored) ?? []
  if (!minor || Number(cost) < 4 || Number(cost) > 31) return null
  return {
    format: 'bcrypt',
    cost: `bcrypt cost=${Number(cost)}`,
    tooMuch: Number(cost) > highestCost ? `bcrypt cost ${Number(cost)} is over ${highestCost}` : null,
    sample: () => `$2b$${cost}$${'.'.repeat(53)}`,
    async verify(password) {
      const { default: library } = await import('bcryptjs')
      return library.compareSync(password, stored)
    },
  }
}
