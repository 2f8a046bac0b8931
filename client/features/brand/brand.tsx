import { useEffect } from 'react'
import { auth } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/member-page.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { brandTexts } from './brand.texts.ts'
import type { Options } from './options.ts'
import { Workshop } from './workshop.tsx'

/** The policy of the document allows frames if it was loaded for this page (worker/features/public-config/brand/preview.ts). */
const allowsFrames = () => {
  const [document] = performance.getEntriesByType('navigation')
  return document !== undefined && new URL(document.name).pathname === location.pathname
}

export default function BrandPage() {
  const t = useTexts(brandTexts)
  const options = useQuery(['brand'], () => auth.admin.brand())
  const framed = allowsFrames()
  useEffect(() => {
    if (!framed) location.reload()
  }, [framed])
  return (
    <Page title={t.title} intro={t.intro} wide>
      <Loaded of={options} skeleton={<Skeleton lines={8} />}>
        {(answer) => framed && <Workshop {...(answer as unknown as Options)} />}
      </Loaded>
    </Page>
  )
}
