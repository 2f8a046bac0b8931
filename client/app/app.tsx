import { lazy, Suspense } from 'react'
import { matchRoute, Route, useLocation, useRouter } from 'wouter'
import { useConfig } from '../lib/api.ts'
import { Skeleton } from '../ui/state.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { notFound, routes, type Screen } from './routes.ts'
import { VisitorFrame } from './visitor-frame.tsx'

const MemberFrame = lazy(() => import('./member-frame.tsx'))

export function App() {
  return (
    <>
      <OfflineBanner />
      <ErrorBoundary>
        <CurrentScreen />
      </ErrorBoundary>
      <Toasts />
    </>
  )
}

function CurrentScreen() {
  const [location] = useLocation()
  const { parser } = useRouter()
  const { features, isPending } = useConfig()
  const found = routes.find(({ path }) => matchRoute(parser, path, location)[0]) ?? notFound
  // What is switched off does not exist; before the server has said so, the frame waits with the skeleton.
  const route = found.when && !isPending && !found.when(features) ? notFound : found
  const Frame = route.frame === 'member' ? MemberFrame : VisitorFrame
  return (
    <Suspense fallback={null}>
      <Frame>
        <ErrorBoundary key={location}>
          <Suspense fallback={<Skeleton lines={5} />}>
            {found.when && isPending ? <Skeleton lines={5} /> : <InRoute screen={route} />}
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
