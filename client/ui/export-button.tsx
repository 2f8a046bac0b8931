import { Download } from 'lucide-react'
import { useAction } from '../lib/action.ts'
import { auth } from '../lib/api.ts'
import type { Result } from '../lib/auth/types.ts'
import { Button } from './button.tsx'
import { ErrorPanel } from './state.tsx'

interface ExportButtonProps {
  /** The endpoint that returns the file, and its body. */
  path?: string
  filter?: Record<string, unknown>
  /** Instead of an endpoint. @returns the text of the file */
  load?(): Promise<Result<string>>
  /** The name of the file without its ending. */
  name: string
  /** The format of the file. @default 'csv' */
  format?: 'csv' | 'ndjson' | 'ocsf'
  errors?: Record<string, string>
  children: string
}

/** Downloads a file. A request, not a link: errors are shown here, and a step-up can come before. */
export function ExportButton({
  path = '',
  filter = {},
  load: make,
  name,
  format = 'csv',
  errors,
  children,
}: ExportButtonProps) {
  const load = useAction(
    () => make?.() ?? auth.$fetch<unknown>(path, filter),
    // A file of one line of JSON arrives as its value.
    (file) =>
      save(typeof file === 'string' ? file : `${JSON.stringify(file)}\n`, name, format === 'csv' ? 'csv' : 'ndjson'),
  )
  return (
    <div className="grid justify-items-start gap-3">
      <Button busy={load.busy} onClick={load.run}>
        <Download aria-hidden size={16} />
        {children}
      </Button>
      {load.error && <ErrorPanel error={load.error} errors={errors} />}
    </div>
  )
}

/** A CSV file has a byte order mark, by which spreadsheets recognize UTF-8. */
function save(text: string, name: string, extension: 'csv' | 'ndjson'): void {
  const isTable = extension === 'csv'
  const type = isTable ? 'text/csv' : 'application/x-ndjson'
  const url = URL.createObjectURL(new Blob(isTable ? ['\ufeff', text] : [text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
