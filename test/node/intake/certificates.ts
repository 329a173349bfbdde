import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A certificate authority of the test's own and a certificate of it for these names, all PEM. */
export async function testCertificates(names: readonly string[]): Promise<{ ca: string; cert: string; key: string }> {
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);
  const day = 24 * 3600 * 1000;
  const dates = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
  const caKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=test authority',
    ...dates,
    signingAlgorithm: ALGORITHM,
    keys: caKeys as x509.X509CertificateCreateSelfSignedParams['keys'],
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=test host',
    issuer: ca.subject,
    ...dates,
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey as x509.PublicKeyType,
    signingKey: caKeys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: /^[0-9.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ],
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    ca: ca.toString('pem'),
    cert: cert.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`,
  };
}
