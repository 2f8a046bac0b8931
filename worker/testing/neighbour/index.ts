import { serverClient } from '../../rpc/client.ts'
import type { ServerApi } from '../../rpc/rpc.ts'
import { toolServer } from './tool-server.ts'

type Api = Record<string, (input: unknown) => Promise<unknown>>

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
    const input = await request.json<Record<string, string>>()
    // The published client, with the binding as its transport.
    if (pathname.startsWith('/client/')) {
      const client = serverClient({ binding: GATEHOUSE }) as unknown as Api
      return Response.json(await client[pathname.slice('/client/'.length)]!(input))
    }
    const method = pathname.slice(1)
    if (method === 'getSession') return Response.json(await GATEHOUSE.getSession(input))
    const api = GATEHOUSE as unknown as Api
    return Response.json(await api[method]!(input))
  },
} satisfies ExportedHandler<Env>
