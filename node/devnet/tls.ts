import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** Life of the devnet's certificates, milliseconds. */
const VALID_MS = 7 * 24 * 3600 * 1000;

export interface DevnetCertificates {
  /** The authority that the validators are told to trust, PEM. */
  readonly authority: string;
  readonly certificate: string;
  readonly privateKey: string;
}

/** A private certificate authority, and a certificate of it for `localhost` that the miners share. */
export async function makeCertificates(now: Date): Promise<DevnetCertificates> {
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);
  const dates = { notBefore: new Date(now.getTime() - 3600_000), notAfter: new Date(now.getTime() + VALID_MS) };
  const authorityKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=cacheon devnet authority',
    ...dates,
    signingAlgorithm: ALGORITHM,
    keys: authorityKeys as x509.X509CertificateCreateSelfSignedParams['keys'],
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=localhost',
    issuer: authority.subject,
    ...dates,
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey as x509.PublicKeyType,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = pkcs8.match(/.{1,64}/g) ?? [];
  return {
    authority: authority.toString('pem'),
    certificate: certificate.toString('pem'),
    privateKey: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}
