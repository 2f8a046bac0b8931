import type { ChangeEvent } from 'react'
import { typed } from '../lib/typed.ts'

/** For a signed-out address field: begins with the address typed on the screen before, and hands it on to the next. */
export const typedEmail = () => ({
  defaultValue: typed.email(),
  onChange: (event: ChangeEvent<HTMLInputElement>) => typed.set(event.target.value),
})
