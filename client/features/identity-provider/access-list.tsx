/** The scopes that an agent or a service may have, by resource. */
export const AccessList = ({ access }: { access: Readonly<Record<string, readonly string[]>> }) => (
  <span className="grid gap-1 text-start">
    {Object.entries(access).map(([resource, scopes]) => (
      <span key={resource} className="grid wrap-anywhere">
        <span>
          <code dir="ltr">{scopes.join(', ')}</code>
        </span>
        <span className="text-soft">
          <bdi dir="ltr">{resource}</bdi>
        </span>
      </span>
    ))}
  </span>
)
