import { afterEach } from 'vitest'
import { openPages } from './browser.ts'

/** A failed test with a browser tells what its pages showed: what CI saw is not seen again. */
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await openPages())
})
