import {
  committedContentHash,
  contentHash,
  IdentityError,
  integratedSourceTreeDigest,
  type TreeFile,
} from '../../evaluator/identity/index.ts';
import type { VectorFamily } from './family.ts';

export const family: VectorFamily = {
  family: 'bundle_hash',
  run(input) {
    const files: TreeFile[] = Object.entries(input['files'] as Record<string, string>).map(([path, data]) => ({
      path,
      data: Buffer.from(data, 'base64'),
    }));
    const links = Object.keys(input['symlinks'] as object);
    if (input['mode'] === 'integrated_source_tree') {
      if (links[0] !== undefined) throw new IdentityError('TREE_SYMLINK', undefined, { field: links[0] });
      return { digest: integratedSourceTreeDigest(files) };
    }
    return { digest: input['mode'] === 'committed' ? committedContentHash(files) : contentHash(files) };
  },
};
