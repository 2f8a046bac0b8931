import { Download, Printer } from 'lucide-react'
import { useConfig, useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { useShownOnce } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { twoFactorTexts } from './texts.ts'

function download(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  // Characters that a file system does not allow.
  link.download = name.replace(/[\p{Cc}\\/:*?"<>|]+/gu, '-')
  link.click()
  URL.revokeObjectURL(url)
}

/** New backup codes: copy, download, print. A print contains only the codes. Leaving them asks first. */
export function BackupCodes({ codes, onSaved }: { codes: string[]; onSaved(): void }) {
  const t = useTexts(twoFactorTexts)
  const { name } = useConfig()
  const { user } = useMember()
  const heading = t.codesFile(name, user.email)
  useShownOnce(true)
  const text = `${heading}\n${t.codesOnce}\n\n${codes.join('\n')}\n`
  return (
    <div className="grid gap-5">
      <div className="print:fixed print:inset-0 print:z-50 print:bg-[#fff] print:p-8 print:text-[#000]">
        <p className="hidden font-semibold print:mb-1 print:block">{heading}</p>
        <p className="hidden print:mb-4 print:block">{t.codesOnce}</p>
        <ol className="grid max-w-md grid-cols-2 gap-x-4 gap-y-2 rounded border bg-sunken p-4 font-mono text-sm sm:text-base print:bg-[#fff]">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} />
        <Button onClick={() => download(`${name.toLowerCase()}-backup-codes.txt`, text)}>
          <Download aria-hidden size={16} />
          {t.download}
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden size={16} />
          {t.print}
        </Button>
      </div>
      <Button data-saved look="primary" className="justify-self-start" onClick={onSaved}>
        {t.saved}
      </Button>
    </div>
  )
}
