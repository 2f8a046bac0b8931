import type { ServerApi } from '../../rpc/rpc.ts'
import { toolServer } from './tool-server.ts'

interface Env {
  GATEHOUSE: Service<ServerApi>
  /** The same Worker over HTTP. */
  ACCOUNTS: Fetcher
}

/**
 * A tool server for agents at `/mcp`. All other paths name a method of Gatehouse's server API, which gets the body as
 * its argument.
 */
export default {
  async fetch(request, { GATEHOUSE, ACCOUNTS }): Promise<Response> {
    const { origin, pathname } = new URL(request.url)
    if (pathname === '/mcp') {
      const ask = (url: string, init?: RequestInit) => ACCOUNTS.fetch(url, init as RequestInit<RequestInitCfProperties>)
      return toolServer(request, { gatehouse: 'http://gatehouse', resource: `${origin}/mcp`, fetch: ask })
    }
    const method = pathname.slice(1)
    const input = await request.json<Record<string, string>>()
    if (method === 'getSession') return Response.json(await GATEHOUSE.getSession(input))
    const api = GATEHOUSE as unknown as Record<string, (input: unknown) => Promise<unknown>>
    return Response.json(await api[method]!(input))
  },
} satisfies ExportedHandler<Env>
