/** Shown in place of a secret. */
export const REDACTED = '(redacted)';

/**
 * What may be shown of a URL: scheme, host and port. Access keys of RPC providers sit in user info, path and query.
 */
export function redactUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return REDACTED;
  const rest = url.username !== '' || url.password !== '' || url.pathname.length > 1 || url.search !== '';
  return `${url.protocol}//${url.host}${rest ? `/${REDACTED}` : ''}`;
}
