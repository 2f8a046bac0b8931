import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import type { ReportedError } from '../kit/reported-error.ts'

/** Errors of requests to the development server, one JSON line each, oldest first. wrangler's folder is not committed. */
export const errorLog = '.wrangler/gatehouse/errors.ndjson'

/** The number of errors that are kept. */
export const keptErrors = 500
const maxBytes = 20_000

const linesOf = (text: string) => text.split('\n').filter(Boolean)

/** Empties the log, and stores what the development server reports. @returns its address for ERROR_LOG */
export async function keepErrorLog(): Promise<{ url: string; stop(): void }> {
  rmSync(errorLog, { force: true })
  let count = 0
  const store = (line: string) => {
    mkdirSync(dirname(errorLog), { recursive: true })
    appendFileSync(errorLog, `${line}\n`, { mode: 0o600 })
    if (++count < 2 * keptErrors) return
    writeFileSync(errorLog, `${linesOf(readFileSync(errorLog, 'utf8')).slice(-keptErrors).join('\n')}\n`, {
      mode: 0o600,
    })
    count = keptErrors
  }
  // Pages in a browser of this machine cannot guess it.
  const path = `/${randomBytes(18).toString('base64url')}`
  const server = createServer(async (request, response) => {
    const isOurs = request.method === 'POST' && request.url === path
    let text = ''
    for await (const part of request) if (isOurs && text.length <= maxBytes) text += part
    response.writeHead(isOurs ? 204 : 404).end()
    if (isOurs && text.length <= maxBytes && parsed(text)) store(JSON.stringify(parsed(text)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${path}`, stop: () => void server.close() }
}

function parsed(text: string): ReportedError | null {
  try {
    const value = JSON.parse(text) as ReportedError | null
    return typeof value?.requestId === 'string' && typeof value.code === 'string' ? value : null
  } catch {
    return null
  }
}

/** The errors of the log, newest first; null without a log. */
export function readErrorLog(): ReportedError[] | null {
  try {
    const lines = linesOf(readFileSync(errorLog, 'utf8'))
    return lines.flatMap((line) => parsed(line) ?? []).reverse()
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw thrown
  }
}
