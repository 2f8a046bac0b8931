import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { frameAt } from '../lib/given.ts'
import { Page } from '../ui/member-page.tsx'
import { Skeleton } from '../ui/state.tsx'
import { Brand } from './brand.tsx'

interface LayoutProps {
  /** Before the brand: the button of the navigation in a narrow window. */
  menu: ReactNode
  /** After the brand. */
  bar: ReactNode
  /** Between the bar and the columns. */
  drawer?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

/** The bar and the columns of signed-in screens. */
export const Layout = ({ menu, bar, drawer, aside, children }: LayoutProps) => (
  <>
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-300 items-center gap-2 px-4">
        {menu}
        <Brand />
        {bar}
      </div>
    </header>
    {drawer}
    <div className="mx-auto grid max-w-300 px-4 md:grid-cols-[13rem_1fr] md:gap-12">
      <aside className="hidden md:block">
        {/* A window lower than the navigation scrolls it, and not an empty page. */}
        <div className="sticky top-0 -ms-1 max-h-[calc(100dvh-3.5rem-1px)] overflow-y-auto py-8 ps-1 pe-1">{aside}</div>
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 py-6 outline-none md:py-8">
        {children}
      </main>
    </div>
  </>
)

/** The screen while its code is loading: what the page of the Worker contains of it. */
function ScreenToCome() {
  const [location] = useLocation()
  const frame = frameAt(location)
  return frame ? <Page {...frame} toCome /> : <Skeleton lines={6} />
}

/** A screen, once its code has loaded. */
export function Loading({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  return (
    <Suspense key={location} fallback={<ScreenToCome />}>
      {children}
    </Suspense>
  )
}

/** The frame before the session is known; app/prerender.tsx renders it in the Worker. */
export const WaitingFrame = () => (
  <Layout
    menu={<span className="-ms-2 size-10 md:hidden" />}
    bar={<span className="ms-auto size-8 flex-none rounded-full bg-sunken" />}
  >
    <ScreenToCome />
  </Layout>
)
