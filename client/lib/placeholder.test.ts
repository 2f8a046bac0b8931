import { expect, it } from 'vitest'
import { isPlaceholder } from './placeholder.ts'

it('placeholders are recognized, similar addresses are not', () => {
  const madeUp = ['temp-0123456789abcdefghijklmnopqrstuv@example.com', `imported-${'0a'.repeat(16)}@imported.invalid`]
  expect(madeUp.map(isPlaceholder)).toEqual([true, true])
  expect(['temp-agency@example.com', 'imported-goods@example.com', 'ada@imported.invalid'].map(isPlaceholder)).toEqual([
    false,
    false,
    false,
  ])
})
