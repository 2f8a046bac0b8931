import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listedScreens } from '../listed-screens.ts'
import { memberFrames } from './frames.ts'

const root = join(import.meta.dirname, '..')
const members = listedScreens(root).filter(({ frame }) => frame === 'member')

describe('the frames of signed-in screens', () => {
  it('every screen without a parameter has one', () => {
    const paths = members.map(({ path }) => path).filter((path) => !path.includes(':'))
    // The title of a step-up depends on the request.
    expect(paths.filter((path) => path !== '/step-up').sort()).toEqual(Object.keys(memberFrames).sort())
  })

  it('has the width of its screen', () => {
    for (const { path, module } of members) {
      const frame = memberFrames[path]
      const pages = readFileSync(join(root, module), 'utf8').match(/<(Page|WithOrganization)\b[^>]*/g) ?? []
      if (frame)
        expect([path, pages.every((page) => /\swide\b/.test(page) === Boolean(frame.wide))]).toEqual([path, true])
    }
  })
})
