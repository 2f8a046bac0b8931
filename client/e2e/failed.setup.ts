import { afterEach } from 'vitest'
import { openPages } from './browser.ts'

/** A failed test with a browser prints what its pages showed, because a rare failure may not occur again. */
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await openPages())
})
