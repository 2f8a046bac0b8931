import { useEffect, useState } from 'react'
import { useConfig } from '../../lib/api.ts'
import { PageTitle } from '../../ui/page.tsx'
import type { Options } from './options.ts'
import { Workshop } from './workshop.tsx'

/** /dev/brand: the page "Brand" of the console without a session. Development only. */
export default function BrandPreview() {
  const { development } = useConfig()
  const [options, setOptions] = useState<Options | null>(null)
  useEffect(() => {
    if (!development) return
    void fetch('/dev/brand.json').then(async (answer) => {
      if (answer.ok) setOptions((await answer.json()) as Options)
    })
  }, [development])
  if (!development) return null
  return (
    // Over the frame of the signed-out screens, which is as narrow as a form.
    <div className="absolute inset-x-0 top-0 z-10 grid min-h-dvh content-start gap-6 bg-paper px-4 py-6 sm:px-8">
      <div lang="en" dir="ltr" className="grid gap-1">
        <PageTitle>The brand</PageTitle>
        <p className="text-soft">
          The screens with these options of <code>brand</code>, in development only. Nothing is stored.
        </p>
      </div>
      {options && <Workshop {...options} />}
    </div>
  )
}
