import { createServer, type Server } from 'node:https';

/** Path under which a miner offers its archive. */
export const ARCHIVE_PATH = '/bundle.tar.gz';

/** Serves one archive over HTTPS on the loopback address. */
export function serveArchive(
  archive: Uint8Array,
  tls: { readonly certificate: string; readonly privateKey: string },
  port: number,
): Promise<Server> {
  const server = createServer({ cert: tls.certificate, key: tls.privateKey }, (request, response) => {
    if (request.method !== 'GET' || request.url !== ARCHIVE_PATH) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': archive.length }).end(archive);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
