import { useState } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { ExportButton } from '../../ui/export-button.tsx'
import { auditTexts } from './texts.ts'

type Format = 'csv' | 'ndjson' | 'ocsf'

interface ExportFileProps {
  path: string
  /** What the file contains. */
  filter: Record<string, string>
  /** The name of the file without its format. */
  name: string
  formats: readonly Format[]
}

/** A choice of the format and the button that downloads the file. */
export function ExportFile({ path, filter, name, formats }: ExportFileProps) {
  const t = useTexts(auditTexts)
  const [format, setFormat] = useState<Format>('csv')
  const names = { csv: t.exportCsv, ndjson: t.exportLines, ocsf: t.exportOcsf }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <select
        aria-label={t.format}
        className="control w-auto"
        value={format}
        onChange={({ target }) => setFormat(formats.find((one) => one === target.value)!)}
      >
        {formats.map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </select>
      <ExportButton path={path} filter={{ ...filter, format }} name={name} format={format} errors={t.errors}>
        {t.exportAs}
      </ExportButton>
    </div>
  )
}
