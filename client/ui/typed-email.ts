import type { ChangeEvent } from 'react'
import { typed } from '../lib/typed.ts'

/** For address fields of signed-out screens: keeps the typed address between screens. */
export const typedEmail = () => ({
  defaultValue: typed.email(),
  onChange: (event: ChangeEvent<HTMLInputElement>) => typed.set(event.target.value),
})
