import { Download } from 'lucide-react'
import { useAction } from '../lib/action.ts'
import { auth } from '../lib/api.ts'
import { Button } from './button.tsx'
import { ErrorPanel } from './state.tsx'

interface ExportButtonProps {
  /** The endpoint that returns the file, and its body. */
  path: string
  filter: Record<string, unknown>
  /** The name of the file without its ending. */
  name: string
  errors?: Record<string, string>
  children: string
}

/** Downloads a CSV file. A request, not a link: errors are shown here, and a step-up can come before. */
export function ExportButton({ path, filter, name, errors, children }: ExportButtonProps) {
  const load = useAction(
    () => auth.$fetch<string>(path, filter),
    (text) => save(text, `${name}-${new Date().toISOString().slice(0, 10)}.csv`),
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

/** With a byte order mark, by which spreadsheets recognize UTF-8. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
