import { Avatar } from '../../ui/small.tsx'

/**
 * The logo of an application, or its initials. A client that has registered itself shows none: its logo could be that of
 * another application.
 */
export const ClientMark = ({ client }: { client: { name: string; icon: string | null; selfRegistered?: boolean } }) => (
  <div className="client-mark mb-1.5 flex justify-center">
    <Avatar name={client.name} image={client.selfRegistered ? null : client.icon} size={48} />
  </div>
)
