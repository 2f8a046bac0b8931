import { WifiOff } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useRef } from 'react'
import { matchRoute, Route, Router, type RouterOptions, useLocation, useRouter } from 'wouter'
import { useConfig } from '../lib/api.ts'
import { useOnline } from '../lib/online.ts'
import type { Screen } from '../lib/screens.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { toasts } from '../lib/toasts.ts'
import { Skeleton } from '../ui/state.tsx'
import { CheckedCallback } from './checked-callback.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { VisitorFrame } from './visitor-frame.tsx'

const Toasts = lazy(() => import('../ui/toasts.tsx'))

export interface AppProps {
  /** The first match wins. */
  routes: Screen[]
  notFound: Screen
  MemberFrame: ComponentType<{ children: ReactNode }>
  router: RouterOptions
}

/** Both in the browser (main.tsx) and in the Worker (prerender.tsx). */
export function App({ router, ...screens }: AppProps) {
  return (
    <Router {...router}>
      <OfflineBanner />
      <ErrorBoundary alone>
        <CurrentScreen {...screens} />
      </ErrorBoundary>
      <Suspense>
        <ShownToasts />
      </Suspense>
    </Router>
  )
}

function CurrentScreen({ routes, notFound, MemberFrame }: Omit<AppProps, 'router'>) {
  const [location] = useLocation()
  const { parser } = useRouter()
  const { features, isPending } = useConfig()
  const found = routes.find(({ path }) => matchRoute(parser, path, location)[0]) ?? notFound
  const { switches } = found
  // Until the configuration is known, a screen with switches shows the skeleton.
  const route = switches && !isPending && !switches.some((name) => features[name]) ? notFound : found
  // Together with the code of its frame. A failure is shown when the screen is rendered.
  route.load?.().catch(() => undefined)
  const isMember = route.frame === 'member'
  const Frame = isMember ? MemberFrame : VisitorFrame
  const screen = switches && isPending ? <Skeleton lines={5} /> : <InRoute screen={route} />
  return (
    <Suspense fallback={null}>
      <Frame>
        <ErrorBoundary key={location}>
          {isMember ? (
            screen
          ) : (
            <Suspense fallback={<Skeleton lines={5} />}>
              <CheckedCallback>{screen}</CheckedCallback>
            </Suspense>
          )}
        </ErrorBoundary>
      </Frame>
    </Suspense>
  )
}

function InRoute({ screen: { path, component: Component } }: { screen: Screen }) {
  return (
    <Route path={path}>
      <Component />
    </Route>
  )
}

/** Shown without a connection. Failed requests are repeated when it is back. */
function OfflineBanner() {
  const t = useTexts()
  const online = useOnline()
  return (
    <div role="status" className="sticky top-0 z-20">
      {!online && (
        <p className="flex items-center justify-center gap-2.5 bg-ink px-4 py-2 text-paper">
          <WifiOff aria-hidden size={18} className="flex-none" />
          {t.offline}
        </p>
      )}
    </div>
  )
}

/** Loaded with the first toast, and kept: the status of later toasts exists before its text. */
function ShownToasts() {
  const used = useRef(false)
  if (toasts.use().length > 0) used.current = true
  return used.current && <Toasts />
}
