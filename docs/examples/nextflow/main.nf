// A task a clip: nextflow run main.nf -resume
params.manifest = 'lab.json'
params.videos = 'videos/*.mp4'
params.output = 'out'

process ANNOTATE {
    tag "${clip.baseName}"
    publishDir params.output, mode: 'copy'
    cpus 2
    // 75: reasons that may pass; 137, 143: killed, or interrupted. A clip that fails for good doesn't hold up the others.
    errorStrategy { task.exitStatus in [75, 137, 143] ? 'retry' : 'ignore' }
    maxRetries 3

    input:
    path manifest
    path clip, stageAs: 'videos/*'

    output:
    path '*.tracks.jsonl'
    path '*.mp4'

    script:
    """
    annotate-batch run ${manifest} --output . --jobs 1 --threads ${task.cpus} --progress plain
    """
}

workflow {
    ANNOTATE(file(params.manifest), channel.fromPath(params.videos))
}
