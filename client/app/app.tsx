import { lazy, Suspense } from 'react'
import { matchRoute, Route, Router, useLocation, useRouter } from 'wouter'
import { useConfig } from '../lib/api.ts'
import type { Screen } from '../lib/screens.ts'
import { askBeforeLeaving } from '../lib/unsaved.ts'
import { Skeleton } from '../ui/state.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { CheckedCallback } from './checked-callback.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { notFound, routes } from './routes.ts'
import { UnsavedChanges } from './unsaved-changes.tsx'
import { VisitorFrame } from './visitor-frame.tsx'

const MemberFrame = lazy(() => import('./member-frame.tsx'))

export function App() {
  return (
    <Router aroundNav={askBeforeLeaving}>
      <OfflineBanner />
      <ErrorBoundary>
        <CurrentScreen />
      </ErrorBoundary>
      <UnsavedChanges />
      <Toasts />
    </Router>
  )
}

function CurrentScreen() {
  const [location] = useLocation()
  const { parser } = useRouter()
  const { features, isPending } = useConfig()
  const found = routes.find(({ path }) => matchRoute(parser, path, location)[0]) ?? notFound
  // What is switched off does not exist; before the server has said so, the frame waits with the skeleton.
  const route = found.when && !isPending && !found.when(features) ? notFound : found
  const isMember = route.frame === 'member'
  const Frame = isMember ? MemberFrame : VisitorFrame
  const screen = found.when && isPending ? <Skeleton lines={5} /> : <InRoute screen={route} />
  return (
    <Suspense fallback={null}>
      <Frame>
        <ErrorBoundary key={location}>
          <Suspense fallback={<Skeleton lines={5} />}>
            {isMember ? screen : <CheckedCallback>{screen}</CheckedCallback>}
          </Suspense>
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
