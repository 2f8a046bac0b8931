import { useState } from 'react'
import type { AuthError, Result } from './auth/types.ts'

export interface Failure<Item> {
  item: Item
  error: AuthError
}

/** Errors of the caller or of the server: the other items would fail for the same reason. */
export const concernsAll = ({ status, code }: AuthError): boolean =>
  status === 0 ||
  status === 401 ||
  status === 429 ||
  status >= 500 ||
  code === 'EMAIL_NOT_VERIFIED' ||
  code === 'OWN_SESSION_REQUIRED' ||
  code === 'SESSION_IS_NOT_FRESH'

/** Sends one call after another. After an error that concerns all items, the others fail without a call. */
export async function inTurn<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<Result<unknown>>,
  onProgress: (done: number) => void,
): Promise<Failure<Item>[]> {
  const failures: Failure<Item>[] = []
  for (const [at, item] of items.entries()) {
    onProgress(at)
    const { error } = await send(item)
    if (error && concernsAll(error)) return [...failures, ...items.slice(at).map((each) => ({ item: each, error }))]
    if (error) failures.push({ item, error })
  }
  return failures
}

export interface Progress {
  done: number
  total: number
}

/** `inTurn` with its progress; null while nothing is sent. */
export function useInTurn<Item>(send: (item: Item) => Promise<Result<unknown>>) {
  const [progress, setProgress] = useState<Progress | null>(null)
  async function run(items: readonly Item[]): Promise<Failure<Item>[]> {
    const total = items.length
    const failures = await inTurn(items, send, (done) => setProgress({ done, total }))
    setProgress(null)
    return failures
  }
  return { progress, run }
}
