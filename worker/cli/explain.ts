import { join } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import type { ReportedError } from '../kit/reported-error.ts'
import { CliError } from './cli-error.ts'
import { errorLog, readErrorLog } from './error-log.ts'
import { explainError } from './mcp/guides.ts'

/** The guides of the package; this module is bundled into dist/package. */
const guides = join(import.meta.dirname, '../../worker/guides')

export const command = new Command('explain')
  .description(`Explains an error of the development server: what failed, and what to do. It reads ${errorLog}, where
    \`gatehouse-auth dev\` keeps the errors since its start. The id is x-request-id of the response.`)
  .argument('[id]', 'the id of a request, or an error code; default: the latest error')
  .addHelpText('after', '\nExit code: 1 if the id is unknown.')
  .action((id) => console.log(id === undefined ? latest() : explain(guides, id.trim())))

/** @param given a code, or the id of a request: only ids contain a hyphen @throws CliError for an unknown id */
export const explain = (folder: string, given: string): string =>
  given.includes('-') ? explainRequest(folder, given) : explainError(folder, given)

function latest(): string {
  const [newest] = readErrorLog() ?? []
  if (!newest) throw new CliError('The development server has reported no error.', 'npx gatehouse-auth dev')
  return explained(guides, newest)
}

function explainRequest(folder: string, id: string): string {
  const log = readErrorLog()
  const error = log?.find(({ requestId }) => requestId === id)
  if (error) return explained(folder, error)
  throw log
    ? new CliError(
        `No error of request ${id.slice(0, 100)} is in ${errorLog}.`,
        'the log starts with `npx gatehouse-auth dev`; for a deployment: npx wrangler tail, and the audit log of the console',
      )
    : new CliError(`There is no ${errorLog} in this folder.`, 'npx gatehouse-auth dev, then repeat the request')
}

const withoutSection = (code: string): string =>
  code === 'VALIDATION_ERROR'
    ? 'Correct the input: the reason of each path is above.'
    : `${code} is a code of a protocol or of a hook of yours.`

function explained(folder: string, error: ReportedError): string {
  const { method, path, status, code, message, at, hint, reason, issues } = error
  const section = explainError(folder, code)
  return [
    `${method} ${path}: ${status} ${code} (${message}), ${at}, request ${error.requestId}`,
    ...(issues ? [`Input: ${JSON.stringify(issues)}`] : []),
    ...(reason ? [`Reason: ${reason}`] : []),
    ...(hint ? [`What to do here: ${hint}`] : []),
    '',
    section.startsWith('### ') ? section.trimEnd() : withoutSection(code),
  ].join('\n')
}
