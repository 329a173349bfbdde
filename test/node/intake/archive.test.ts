import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { extractArchive, type IntakeErrorCode } from '../../../node/intake/index.ts';
import { archive, END, type Member, member, paxRecord } from './tar.ts';

const signal = AbortSignal.timeout(20_000);
const extract = (bytes: Uint8Array) => extractArchive(bytes, signal);
const paths = async (...members: Member[]): Promise<string[]> =>
  (await extract(archive(...members))).map((f) => f.path);

async function refused(bytes: Uint8Array, code: IntakeErrorCode, name: string): Promise<void> {
  await assert.rejects(extract(bytes), { code, fault: 'infrastructure' }, name);
}

test('ordinary archives: with and without directories, long names, global comments, one root or none', async () => {
  const file = { name: 'bundle/manifest.toml', data: 'x = 1' };
  const [only] = await extract(archive({ name: 'bundle/', type: '5' }, file));
  assert.deepEqual([only?.path, Buffer.from(only?.data ?? []).toString()], ['manifest.toml', 'x = 1']);
  assert.deepEqual(await paths(file), ['manifest.toml']);
  assert.deepEqual(await paths(file, { name: 'other/a' }), ['bundle/manifest.toml', 'other/a']);
  assert.deepEqual(await paths({ name: 'manifest.toml' }), ['manifest.toml']);
  assert.deepEqual(await paths({ name: 'a.ts', prefix: 'deep/folder' }, { name: 'top' }), ['deep/folder/a.ts', 'top']);
  const long = `${'d'.repeat(90)}/${'f'.repeat(90)}`;
  const longName = { name: '././@LongLink', type: 'L', data: `${long}\0` };
  assert.deepEqual(await paths(longName, { name: 'short' }, { name: 'b' }), [long, 'b']);
  const pax = { name: 'pax', type: 'x', data: paxRecord('path', `${long}ü`) + paxRecord('mtime', '1.5') };
  assert.deepEqual(await paths(pax, { name: 'short' }, { name: 'b' }), [`${long}ü`, 'b']);
  const comment = { name: 'pax_global_header', type: 'g', data: paxRecord('comment', 'abc') };
  assert.deepEqual(await paths(comment, file, { name: 'b' }), ['bundle/manifest.toml', 'b']);
  // More zeros than the two markers: tar pads to its own block size.
  assert.equal((await extract(gzipSync(Buffer.concat([member(file), END, Buffer.alloc(8192)])))).length, 1);
});

test('members that are not files or directories are refused', async () => {
  for (const type of ['1', '2', '3', '4', '6', '7', 'K', 'S', 'Z', '\u00ff']) {
    const bytes = archive({ name: 'a' }, { name: 'b', type, linkname: 'a' });
    await refused(bytes, 'ARCHIVE_MEMBER', `type ${type}`);
  }
});

test('paths: escapes, duplicates, parents that are files, empty directories and what the hash skips', async () => {
  const bad: Record<string, Member[]> = {
    parent: [{ name: '../a' }],
    'parent inside': [{ name: 'b/../../a' }],
    absolute: [{ name: '/etc/passwd' }],
    'dot slash': [{ name: './a' }],
    'empty component': [{ name: 'a//b' }],
    'file with a slash at its end': [{ name: 'a/' }],
    backslash: [{ name: 'a\\b' }],
    control: [{ name: 'a\u0001b' }],
    delete: [{ name: 'a\u007fb' }],
    'line feed in a pax path': [{ name: 'p', type: 'x', data: paxRecord('path', 'a\nb') }, { name: 'a' }],
    'not UTF-8': [{ name: Buffer.from('a\xff', 'latin1') }],
    'the same path twice': [{ name: 'a' }, { name: 'a' }],
    'directory twice': [{ name: 'd/', type: '5' }, { name: 'd', type: '5' }, { name: 'd/a' }],
    'file and directory': [{ name: 'd' }, { name: 'd/', type: '5' }],
    'file that is a parent': [{ name: 'a' }, { name: 'a/b' }],
    'parent that is a file': [{ name: 'a/b' }, { name: 'a' }],
    'empty directory': [{ name: 'a' }, { name: 'd/', type: '5' }],
    'only a directory': [{ name: 'd/', type: '5' }],
    'git folder': [{ name: 'a' }, { name: '.git/config' }],
    'cache folder': [{ name: 'a' }, { name: 'x/__pycache__/y' }],
    bytecode: [{ name: 'a' }, { name: 'b.pyc' }],
    'resource fork': [{ name: 'a' }, { name: '._a' }],
    'too long': [{ name: 'p', type: 'x', data: paxRecord('path', 'd/'.repeat(2500)) }, { name: 'a' }],
  };
  for (const [name, members] of Object.entries(bad)) await refused(archive(...members), 'ARCHIVE_PATH', name);
  await refused(gzipSync(END), 'ARCHIVE_PATH', 'nothing inside');
});

test('readers that differ would differ here: all refused as malformed', async () => {
  const bad: Record<string, Member[]> = {
    'binary size': [{ name: 'a', size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) }],
    'negative size': [{ name: 'a', size: '-0000000001\0' }],
    'size with rubbish': [{ name: 'a', size: '0000000000x\0' }],
    'size after a NUL': [{ name: 'a', size: '0\u00007777777777' }],
    'pax size': [{ name: 'p', type: 'x', data: paxRecord('size', '0') }, { name: 'a' }],
    'sparse file': [{ name: 'p', type: 'x', data: paxRecord('GNU.sparse.major', '1') }, { name: 'a' }],
    'pax link': [{ name: 'p', type: 'x', data: paxRecord('linkpath', 'x') }, { name: 'a' }],
    'global path': [{ name: 'g', type: 'g', data: paxRecord('path', 'x') }, { name: 'a' }],
    'pax length too long': [{ name: 'p', type: 'x', data: '99 path=b\n' }, { name: 'a' }],
    'pax length too short': [{ name: 'p', type: 'x', data: '9 path=bcdef\n' }, { name: 'a' }],
    'pax without equals': [{ name: 'p', type: 'x', data: '8 pathx\n' }, { name: 'a' }],
    'pax that is text': [{ name: 'p', type: 'x', data: 'hello' }, { name: 'a' }],
    'empty extension': [{ name: 'p', type: 'x' }, { name: 'a' }],
    'directory with content': [{ name: 'd', type: '5', data: 'x' }, { name: 'd/a' }],
    'no name': [{ name: '' }],
  };
  for (const [name, members] of Object.entries(bad)) await refused(archive(...members), 'ARCHIVE_MALFORMED', name);
});

test('the end: two empty blocks, then nothing but zeros', async () => {
  const body = member({ name: 'a', data: 'x' });
  const one = END.subarray(512);
  await refused(gzipSync(body), 'ARCHIVE_MALFORMED', 'no end');
  await refused(gzipSync(Buffer.concat([body, one])), 'ARCHIVE_MALFORMED', 'one empty block');
  await refused(gzipSync(Buffer.concat([body, one, body, END])), 'ARCHIVE_MALFORMED', 'a single empty block inside');
  await refused(gzipSync(Buffer.concat([body, END, body])), 'ARCHIVE_MALFORMED', 'a member after the end');
  await refused(gzipSync(Buffer.concat([body, END, Buffer.from([1])])), 'ARCHIVE_MALFORMED', 'a byte after the end');
  await refused(gzipSync(Buffer.concat([body, END, Buffer.alloc(100)])), 'ARCHIVE_MALFORMED', 'half a block');
  await refused(gzipSync(body.subarray(0, 600)), 'ARCHIVE_MALFORMED', 'cut inside a file');
  const broken = Buffer.from(body);
  broken[0] = 0x62;
  await refused(gzipSync(Buffer.concat([broken, END])), 'ARCHIVE_MALFORMED', 'checksum');
});

test('the gzip stream: whole, alone, and no other format', async () => {
  const good = archive({ name: 'a', data: 'x' });
  await refused(Buffer.alloc(0), 'ARCHIVE_GZIP', 'empty');
  await refused(Buffer.concat([member({ name: 'a' }), END]), 'ARCHIVE_GZIP', 'a bare tar');
  await refused(good.subarray(0, -4), 'ARCHIVE_GZIP', 'cut');
  await refused(Buffer.concat([good, Buffer.from('junk')]), 'ARCHIVE_GZIP', 'text after it');
  await refused(Buffer.concat([good, Buffer.alloc(64)]), 'ARCHIVE_GZIP', 'zeros after it');
  const flipped = Buffer.from(good);
  flipped[flipped.length - 6] = (flipped[flipped.length - 6] as number) ^ 1;
  await refused(flipped, 'ARCHIVE_GZIP', 'wrong checksum');
});

test('limits: members, sizes, extension headers, and a bomb', async () => {
  const many = Array.from({ length: 4097 }, (_, i) => ({ name: `f${i}` }));
  await refused(archive(...many), 'ARCHIVE_LIMIT', 'members');
  assert.equal((await paths(...many.slice(1))).length, 4096);
  const big = `${(16 * 1024 * 1024 + 1).toString(8).padStart(11, '0')}\0`;
  await refused(archive({ name: 'a', size: big }), 'ARCHIVE_LIMIT', 'file size is refused before its bytes come');
  const wide = { name: 'p', type: 'x', data: paxRecord('comment', 'c'.repeat(64 * 1024)) };
  await refused(archive(wide, { name: 'a' }), 'ARCHIVE_LIMIT', 'one extension header');
  const half = { name: 'p', type: 'x', data: paxRecord('comment', 'c'.repeat(60 * 1024)) };
  const headers = Array.from({ length: 18 }, (_, i) => [half, { name: `f${i}` }]).flat();
  await refused(archive(...headers), 'ARCHIVE_LIMIT', 'all extension headers');
  const tiny = { name: 'p', type: 'x', data: paxRecord('comment', '') };
  await refused(archive(...Array.from({ length: 12_289 }, () => tiny)), 'ARCHIVE_LIMIT', 'headers without members');
  // 300 MiB of zeros after the end, 300 kB on the wire, as further members of one gzip stream.
  const zeros = gzipSync(Buffer.alloc(1024 * 1024));
  const start = gzipSync(Buffer.concat([member({ name: 'a' }), END]));
  const bomb = Buffer.concat([start, ...Array<Buffer>(300).fill(zeros)]);
  await refused(bomb, 'ARCHIVE_LIMIT', 'bomb');
});

test('an abort ends the work', async () => {
  const bytes = archive({ name: 'a', data: Buffer.alloc(1_000_000) });
  await assert.rejects(extractArchive(bytes, AbortSignal.abort()), { code: 'FETCH_ABORTED' });
});
